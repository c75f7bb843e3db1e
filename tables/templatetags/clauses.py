"""The chip that says under which clause something stands, and opens it."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tables.rulebook.book import address

register = template.Library()


@register.simple_tag
def clause(id: str, cite: str = "", version: str = "", said: str = "") -> SafeString:
    """`{% clause step.clause step.cite %}`: a link where the clause can be read, else its words alone. `said` is shown
    instead of the whole citation where there is little room."""
    where, words = address(id, version) if id else "", said or cite or id
    if not words:
        return SafeString()
    if not where:
        return format_html('<span class="chip">{}</span>', words)
    about = f"Clause {cite or id}"
    return format_html('<a class="chip clause" href="{}" title="{}">{}</a>', where, about, words)
