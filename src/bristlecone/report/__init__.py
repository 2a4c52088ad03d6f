"""What people are shown of a tree: pages, drawings, audits, comparisons. Floor 7 of the house."""

from bristlecone.report.auditing import Audit, audit
from bristlecone.report.certificate_display import CertificateDisplay
from bristlecone.report.comparing import Comparison, compare
from bristlecone.report.comparing_data import DataComparison, compare_data
from bristlecone.report.display import TreeDisplay
from bristlecone.report.pages import page

__all__ = [
    "Audit",
    "CertificateDisplay",
    "Comparison",
    "DataComparison",
    "TreeDisplay",
    "audit",
    "compare",
    "compare_data",
    "page",
]
