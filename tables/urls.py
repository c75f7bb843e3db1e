"""Addresses of the tables. `/pits/<id>/` is theirs, because `pit` knows no table."""

from django.urls import path

from tables.views import api, board, desk, record, rules, sheet

urlpatterns = [
    path("", board.home, name="home"),
    path("pits/", board.home, name="pits"),
    path("overview/", board.overview, name="overview"),
    path("live/tabs.json", board.tabs, name="tabs"),
    path("live/days/<int:pk>/", board.day, name="day"),
    path("pits/<int:pk>/", board.board, name="board"),
    path("pits/<int:pk>.json", board.state, name="board-json"),
    path("tables/<int:pk>/", sheet.sheet, name="sheet"),
    path("tables/<int:pk>.json", sheet.state, name="sheet-json"),
    path("tables/<int:pk>/seats/<int:seat>/", sheet.seat, name="seat"),
    path("tables/<int:pk>/<str:command>", sheet.Command.as_view(), name="command"),
    path("record/", record.record, name="record"),
    path("record/verify.py", desk.verifier, name="verifier"),
    path("record/export.<str:kind>", desk.export, name="export"),
    path("desk/", desk.desk, name="desk"),
    path("desk/moment/", desk.past, name="moment"),
    path("desk/remarks", desk.remark, name="remark"),
    path("rules/", rules.rules, name="rules"),
    path("rules/house/", rules.house, name="rules-house"),
    path("rules/pitstand/", rules.pitstand, name="rules-pitstand"),
    path("rules/<str:pack>/", rules.pack, name="rule-pack"),
    path("rules/<str:pack>/<str:clause>/", rules.clause, name="clause"),
    path("api/openapi.json", api.openapi, name="openapi"),
]
