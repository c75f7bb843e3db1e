"""The ASGI application: pages over HTTP, boards over sockets."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pit.settings")

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

pages = get_asgi_application()

from pit.live.process import lifespan  # noqa: E402 - Django is ready only now
from pit.live.routing import sockets  # noqa: E402

application = ProtocolTypeRouter({"http": pages, "websocket": sockets, "lifespan": lifespan})
