"""The tables, and what files of before SQLAlchemy hold moved into them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BEFORE = {"owners", "begun", "turns", "sources", "cited", "dropped", "gaps", "tickets", "feedback"}


def upgrade() -> None:
    """Make the tables, fill them from those of before, and drop these."""
    inspector = sa.inspect(op.get_bind())
    older = BEFORE & set(inspector.get_table_names())
    for table in older:
        for index in inspector.get_indexes(table):
            op.drop_index(str(index["name"]), table_name=table)
    # Triggers go with their tables, but would hold the new ones to the old names until then.
    for trigger in ("turn_is_over", "conversation_goes", "turn_goes"):
        op.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    for table in older:
        op.rename_table(table, f"old_{table}")
    _make()
    if older:
        for statement in MOVED.split(";"):
            op.execute(statement)
        for table in older:
            op.drop_table(f"old_{table}")


def _text(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String, nullable=optional)


def _number() -> sa.Column[int]:
    return sa.Column("number", sa.Integer, primary_key=True, autoincrement=True)


def _turn(*, primary: bool = False, optional: bool = False) -> sa.Column[str]:
    turn = sa.ForeignKey("turns.turn_id", ondelete="CASCADE")
    return sa.Column("turn_id", sa.String, turn, primary_key=primary, nullable=optional)


def _thread() -> sa.Column[str]:
    thread = sa.ForeignKey("threads.thread_id", ondelete="CASCADE")
    return sa.Column("thread_id", sa.String, thread, nullable=False)


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String, primary_key=True)


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON, nullable=False)


def _make() -> None:
    op.create_table("threads", _key("thread_id"), _text("owner"), _text("at"), _text("name", optional=True))
    op.create_index("ix_threads_owner", "threads", ["owner"])
    told = (_text("query"), _text("outcome"), _json("turn"))
    op.create_table("turns", _number(), _text("turn_id"), _thread(), _text("at"), *told, sa.UniqueConstraint("turn_id"))
    op.create_index("turns_by_thread", "turns", ["thread_id", "number"])
    op.create_index("ix_turns_at", "turns", ["at"])
    asked = (_text("query"), _text("after_turn", optional=True), sa.Column("over", sa.Boolean, nullable=False))
    unique = sa.UniqueConstraint("turn_id")
    op.create_table("questions", _number(), _text("turn_id"), _thread(), _text("at"), *asked, unique)
    op.create_index("ix_questions_thread_id", "questions", ["thread_id"])
    op.create_table("sources", _number(), _text("generation"), _text("evidence_id"), _json("evidence"))
    op.create_index("sources_by_name", "sources", ["evidence_id", "generation"], unique=True)
    named = ["evidence_id", "generation"]
    source = sa.ForeignKeyConstraint(named, [f"sources.{name}" for name in named], ondelete="CASCADE")
    op.create_table("citations", _turn(primary=True), _key("generation"), _key("evidence_id"), source)
    op.create_index("citations_by_source", "citations", named)
    op.create_table("dropped", _number(), _turn(), _text("sentence"), _json("verdict"))
    op.create_index("ix_dropped_turn_id", "dropped", ["turn_id"])
    about = (_text("product_id", optional=True), _text("intent", optional=True))
    op.create_table("gaps", _number(), _turn(), _text("at"), _text("question"), *about)
    op.create_index("ix_gaps_turn_id", "gaps", ["turn_id"])
    said = (_text(name, optional=True) for name in ("reason", "comment", "label"))
    op.create_table("feedback", _turn(primary=True), _text("at"), _text("thumb"), *said)
    why = (_text("reason"), _text("team"), _text("summary"))
    op.create_table(
        "tickets", _key("ticket_id"), _text("at"), *why, _turn(optional=True), _text("closed", optional=True)
    )
    op.create_index("ix_tickets_turn_id", "tickets", ["turn_id"])
    decided = (_text(name, optional=True) for name in ("decision", "decided", "by"))
    op.create_table("reviews", _turn(primary=True), _text("at"), _json("issues"), *decided)
    op.create_table("messages", _number(), _turn(), _text("at"), _text("by"), _text("text"), _json("citations"))
    op.create_index("ix_messages_turn_id", "messages", ["turn_id"])
    op.create_table("opened", _turn(primary=True), sa.Column("marker", sa.Integer, primary_key=True), _text("at"))


MOVED = """
INSERT INTO threads SELECT thread_id, owner, at, NULL FROM old_owners;
INSERT OR IGNORE INTO threads SELECT thread_id, 'local', min(at), NULL FROM old_turns GROUP BY thread_id;
INSERT INTO turns SELECT number, turn_id, thread_id, at, query, outcome, turn FROM old_turns;
INSERT INTO questions (turn_id, thread_id, at, query, after_turn, over)
    SELECT turn_id, thread_id, at, query, after_turn, process IS NULL FROM old_begun
    WHERE thread_id IN (SELECT thread_id FROM threads) ORDER BY rowid;
INSERT INTO sources (generation, evidence_id, evidence)
    SELECT generation, evidence_id, evidence FROM old_sources ORDER BY rowid;
INSERT INTO citations SELECT turn_id, generation, evidence_id FROM old_cited
    JOIN turns USING (turn_id) JOIN sources USING (generation, evidence_id);
INSERT INTO dropped (turn_id, sentence, verdict) SELECT turn_id, sentence, coalesce(verdict, '{}')
    FROM old_dropped JOIN turns USING (turn_id) ORDER BY old_dropped.rowid;
INSERT INTO gaps (turn_id, at, question, product_id, intent)
    SELECT turn_id, old_gaps.at, question, product_id, json_extract(turn, '$.intent.selected[0]')
    FROM old_gaps JOIN turns USING (turn_id) ORDER BY old_gaps.rowid;
INSERT INTO feedback (turn_id, at, thumb)
    SELECT turn_id, old_feedback.at, thumb FROM old_feedback JOIN turns USING (turn_id);
INSERT INTO tickets (ticket_id, at, reason, team, summary, turn_id) SELECT ticket_id, at, reason, team, summary,
    (SELECT turn_id FROM turns WHERE json_extract(turn, '$.escalation.ticket_id') = ticket_id) FROM old_tickets;
INSERT INTO reviews (turn_id, at, issues) SELECT turn_id, at, json_extract(turn, '$.review.issues')
    FROM turns WHERE json_extract(turn, '$.review.required')
"""
"""From the tables of before, row by row; of reviews, which none of them held, and of tickets the turns tell."""
