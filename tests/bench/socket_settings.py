"""The service's own settings, with Channels' own layer beside ours to compare sockets with."""

from tests.bench.settings import *  # noqa: F403
from tests.bench.settings import CHANNEL_LAYERS, REDIS_URL

STOCK = {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL], "prefix": "bare"}}
CHANNEL_LAYERS = {**CHANNEL_LAYERS, "bare": STOCK}
