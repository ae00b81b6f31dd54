"""Ratings for each ladder of a ruleset."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='rating',
            name='one_rating_per_ruleset',
        ),
        migrations.RemoveIndex(
            model_name='rating',
            name='ratings_in_order',
        ),
        migrations.AddField(
            model_name='rating',
            name='ladder',
            field=models.CharField(blank=True, db_default='', default='', max_length=32),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(models.F('ruleset'), models.F('ladder'), models.OrderBy(models.F('sure'), descending=True), models.F('id'), name='ratings_in_order'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('user', 'ruleset', 'ladder'), name='one_rating_per_ladder'),
        ),
    ]
