"""The run of the migrations, inside the transaction that `Database` has opened."""

from alembic import context

from bot.db.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
