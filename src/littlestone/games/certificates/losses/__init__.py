"""Certificates of losses: what each trial of a regressor cost, what paid for it, and the bound that follows."""

from littlestone.games.certificates.losses.certificate import LossCertificate, LossEntry
from littlestone.games.certificates.losses.certify import certify_losses
from littlestone.games.certificates.losses.rules import LossRules

__all__ = ["LossCertificate", "LossEntry", "LossRules", "certify_losses"]
