"""Certificates: what a run's mistakes paid, the bound that follows, and how anybody can check it."""

from littlestone.certificates.certificate import Certificate, Entry
from littlestone.certificates.certify import certify
from littlestone.certificates.rules import Rules
from littlestone.certificates.verify import verify

__all__ = ["Certificate", "Entry", "Rules", "certify", "verify"]
