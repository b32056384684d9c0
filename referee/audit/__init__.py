"""Verification: everything that a tournament publishes, worked out again from its records and its seed."""

from referee.audit.files import compare_files
from referee.audit.judging import judge
from referee.audit.report import AuditReport, Difference
from referee.audit.stores import Proof, audit_store

__all__ = ["AuditReport", "Difference", "Proof", "audit_store", "compare_files", "judge"]
