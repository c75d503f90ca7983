"""Certificates: what a run's mistakes paid, the bound that follows, and how anybody can check it."""

from littlestone.games.certificates.certificate import Certificate, Entry
from littlestone.games.certificates.certify import certify
from littlestone.games.certificates.losses import LossCertificate, LossEntry, LossRules, certify_losses
from littlestone.games.certificates.rules import Rules
from littlestone.games.certificates.verify import verify

__all__ = [
    "Certificate",
    "Entry",
    "LossCertificate",
    "LossEntry",
    "LossRules",
    "Rules",
    "certify",
    "certify_losses",
    "verify",
]
