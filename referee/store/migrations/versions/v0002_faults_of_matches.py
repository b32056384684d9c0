"""Faults belong to finished matches alone: of a void match the reason is kept, and no fault ever was."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Drop what tied faults to voided attempts."""
    op.execute("DELETE FROM faults WHERE match_id IS NULL")
    with op.batch_alter_table("faults") as faults:
        faults.drop_constraint("fk_faults_attempt_id", type_="foreignkey")
        faults.drop_column("attempt_id")
        faults.alter_column("match_id", existing_type=sa.Integer(), nullable=False)
