"""Verification: everything that a tournament publishes, worked out again from its records and its seed."""

from referee.audit.auditing import Means, Proof, audit_lines, audit_store
from referee.audit.examining import Order
from referee.audit.files import compare_files
from referee.audit.judging import judge
from referee.audit.report import AuditReport, Difference

__all__ = [
    "AuditReport",
    "Difference",
    "Means",
    "Order",
    "Proof",
    "audit_lines",
    "audit_store",
    "compare_files",
    "judge",
]
