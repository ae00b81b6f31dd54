"""Addresses of the pages of this room."""

from django.urls import path

from game.delivery import push_views, views, webhook_views

urlpatterns = [
    path("accounts/webhooks/", webhook_views.webhook_list, name="webhooks"),
    path("accounts/webhooks/new/", webhook_views.new_webhook, name="new_webhook"),
    path("accounts/webhooks/<int:number>/", webhook_views.show_webhook, name="webhook"),
    path("accounts/webhooks/<int:number>/types/", webhook_views.change_types, name="change_webhook"),
    path("accounts/webhooks/<int:number>/check/", webhook_views.check, name="check_webhook"),
    path("accounts/webhooks/<int:number>/secret/", webhook_views.change_secret, name="change_webhook_secret"),
    path("accounts/webhooks/<int:number>/remove/", webhook_views.remove, name="remove_webhook"),
    path("accounts/webhooks/<int:number>/<int:delivery>/again/", webhook_views.send_again, name="send_delivery_again"),
    path("notifications/browser/allow/", push_views.allow, name="allow_push"),
    path("notifications/browser/stop/", push_views.stop, name="stop_push"),
    path("notifications/browser/<int:number>/remove/", push_views.remove, name="remove_browser"),
    path("push-worker.js", push_views.worker, name="push_worker"),
    path("notifications/", views.notifications, name="notifications"),
    path("games/<int:game_id>/notifications/", views.game_notifications, name="game_notifications"),
    path("mail/unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
