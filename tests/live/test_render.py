from django.utils.safestring import mark_safe

from pit.live import registry, render, wire


def test_a_tile_that_a_template_made_can_be_sent(request):
    request.addfinalizer(lambda: registry.forget_tile("lamp"))
    registry.register_tile(
        "lamp", lambda *_: registry.Fragment(mark_safe("<b>lit</b>"), mark_safe("<i>off</i>"))
    )
    tile = render.tile("lamp:1", None, 7)
    assert wire.publication("pit:1", 1, tile).endswith(b'"seq":7,"tile":"<b>lit</b>","needs":"<i>off</i>"}}')
