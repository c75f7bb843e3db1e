"""What a technician types about gateways and devices. What may be, the door decides; here it is only read."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from devices.domain.state import KIND_WORDS
from devices.gateways import hosts
from devices.models import Gateway

LEAST_MS, MOST_MS = 200, 60_000


class GatewayForm(forms.ModelForm):  # type: ignore[type-arg]
    """A gateway's address and manners. Its secret is not typed here: it lies in the site's folder of secrets."""

    class Meta:
        model = Gateway
        fields = ["name", "url", "credential", "interval_ms", "grace_s", "active"]
        labels = {
            "url": "Address",
            "credential": "Name of its credential",
            "interval_ms": "Asked every (ms)",
            "grace_s": "Silent after (s)",
            "active": "Asked at all",
        }

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"].rstrip("/")
        if wrong := hosts.wrong(url, settings.GATEWAY_HOSTS):
            raise forms.ValidationError(f"The address {wrong}.")
        return url

    def clean_credential(self) -> str:
        name: str = self.cleaned_data["credential"]
        if name and not all(one.isascii() and (one.isalnum() or one in "-_") for one in name):
            raise forms.ValidationError("Letters, digits, - and _.")
        return name

    def clean_interval_ms(self) -> int:
        return _between(self.cleaned_data["interval_ms"], LEAST_MS, MOST_MS)

    def clean_grace_s(self) -> int:
        return _between(self.cleaned_data["grace_s"], 1, 600)


def _between(value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise forms.ValidationError(f"{least} to {most}.")
    return value


class DeviceForm(forms.Form):
    """What a device is. `key` is asked once."""

    key = forms.CharField(label="Name on the floor", max_length=40)
    kind = forms.ChoiceField(label="Kind", choices=list(KIND_WORDS.items()))
    serial = forms.CharField(label="Serial number", max_length=60)
    maker = forms.CharField(label="Maker", max_length=60, required=False)
    model = forms.CharField(label="Model", max_length=60, required=False)
    approval_ref = forms.CharField(
        label="Approval reference",
        max_length=60,
        required=False,
        help_text="Without it, it may stand at no table.",
    )
    seal = forms.CharField(label="Seal number", max_length=60, required=False)
    firmware = forms.CharField(label="Firmware (SHA-256)", max_length=64, required=False)
    gateway = forms.ChoiceField(label="Gateway", required=False)

    def __init__(self, *args: Any, property_id: int, fixed_key: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = Gateway.objects.filter(property_id=property_id).values_list("name", flat=True)
        field = self.fields["gateway"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "none"), *((name, name) for name in names)]
        if fixed_key:
            self.fields["key"].disabled = True
