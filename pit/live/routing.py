"""The sockets' addresses."""

from channels.routing import URLRouter
from django.urls import path, re_path

from pit.live.consumer import BoardConsumer, NoSuchSocket, PropertyConsumer
from pit.live.origin import SameOrigin

sockets = SameOrigin(
    URLRouter(
        [
            path("ws/pits/<int:pk>/", BoardConsumer.as_asgi()),
            path("ws/properties/<int:pk>/", PropertyConsumer.as_asgi()),
            re_path(r"", NoSuchSocket.as_asgi()),  # an unknown path would be a 500 with a traceback
        ]
    )
)
