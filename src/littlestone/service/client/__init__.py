"""Clients of the service, which send again what was not answered, under the same key."""

from littlestone.service.client.calls import ServiceError
from littlestone.service.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client", "ServiceError"]
