"""The forms of sign-in, hand-over and one's own secrets."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.password_validation import validate_password

from pit.people import guesses, pins
from pit.people.models import Staff, plain
from pit.people.roles import LOGIN_ROLES, ROLE_WORDS
from pit.web import clock

SECRET = {"autocomplete": "off", "inputmode": "numeric", "class": "pin", "maxlength": "8"}


class SignInForm(AuthenticationForm):
    """Name and password. Beside axes, guesses are counted per address, whatever the names."""

    error_messages = {
        "invalid_login": "Name or password is not right. Both tell capital letters from small ones.",
        "inactive": "This account is not active.",
        "address": "Too many attempts from this address. Wait a quarter of an hour.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "User name"

    def clean(self) -> dict[str, Any]:
        place = "sign-in " + guesses.address_key(
            self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        )
        if not guesses.count(place, limit=settings.PIN_ADDRESS_FAILURES, now=clock.now()):
            raise forms.ValidationError(self.error_messages["address"], code="address")
        cleaned = super().clean()
        guesses.take_back(place)
        return cleaned


class HandoverForm(forms.Form):
    """Badge and PIN of the colleague who takes over this tablet, for the property it is signed in for."""

    badge = forms.CharField(max_length=20, widget=forms.TextInput({"autocomplete": "off", "autofocus": True}))
    pin = forms.CharField(label="PIN", max_length=8, widget=forms.PasswordInput(SECRET))
    error_messages = {
        "wrong": "Badge or PIN is not right, or this person may not take over a tablet here.",
        "no_property": "A tablet is handed over within one property; this account belongs to none.",
    }

    def __init__(self, *args: Any, request: Any, **kwargs: Any) -> None:
        self.request = request
        self.staff: Staff | None = None
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        property_id = self.request.user.property_id
        if property_id is None:
            raise forms.ValidationError(self.error_messages["no_property"], code="no_property")
        badge, pin = cleaned["badge"].strip(), cleaned["pin"]
        user = authenticate(self.request, property_id=property_id, badge=badge, pin_secret=pin)
        if user is None:
            raise forms.ValidationError(self.error_messages["wrong"], code="wrong")
        self.staff = user
        return cleaned


class PasswordForm(PasswordChangeForm):  # type: ignore[type-arg]
    """A new password under the old one, whose guesses are counted: a tablet taken over by PIN tells nobody's password."""

    def clean_old_password(self) -> str:
        return check_password(self.user, self.cleaned_data["old_password"])


class PinForm(forms.Form):
    """A new PIN, asked twice, under one's password."""

    password = forms.CharField(widget=forms.PasswordInput({"autocomplete": "current-password"}))
    pin = forms.CharField(label="New PIN", max_length=8, widget=forms.PasswordInput(SECRET))
    again = forms.CharField(label="New PIN again", max_length=8, widget=forms.PasswordInput(SECRET))

    def __init__(self, *args: Any, staff: Staff, **kwargs: Any) -> None:
        self.staff = staff
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        return check_password(self.staff, self.cleaned_data["password"])

    def clean_pin(self) -> str:
        if why := pins.weakness(self.cleaned_data["pin"], badge=self.staff.badge):
            raise forms.ValidationError(why)
        return str(self.cleaned_data["pin"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "pin" in cleaned and cleaned["pin"] != cleaned.get("again"):
            self.add_error("again", "The two are not the same.")
        return cleaned


class TokenForm(forms.Form):
    """A new API token, under one's password."""

    label = forms.CharField(max_length=60, help_text="What it is for: you find it again by this name.")
    days = forms.IntegerField(min_value=1, max_value=366, initial=90, help_text="How long it stands.")
    password = forms.CharField(widget=forms.PasswordInput({"autocomplete": "current-password"}))

    def __init__(self, *args: Any, staff: Staff, **kwargs: Any) -> None:
        self.staff = staff
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        return check_password(self.staff, self.cleaned_data["password"])


def check_password(staff: Staff, password: str) -> str:
    """The person's own password, guesses counted like PINs: an unattended tablet tells nobody."""
    key = f"password:{staff.pk}"
    if not guesses.count(key, limit=settings.PIN_FAILURES, now=clock.now()):
        raise forms.ValidationError("Too many wrong passwords. Wait a quarter of an hour.")
    if not staff.check_password(password):
        raise forms.ValidationError("The password is not right.")
    guesses.forget(key)
    return password


class StaffForm(forms.ModelForm):  # type: ignore[type-arg]
    """A person, with a new password and a new PIN to set; what is kept is never shown."""

    role = forms.ChoiceField(choices=list(ROLE_WORDS.items()))
    new_password = forms.CharField(required=False, widget=forms.PasswordInput)
    new_pin = forms.CharField(label="New PIN", required=False, widget=forms.PasswordInput)

    class Meta:
        model = Staff
        fields = ("name", "badge", "role", "property", "username", "is_active")

    def clean_name(self) -> str:
        return self._plain("name")

    def clean_badge(self) -> str:
        return self._plain("badge")

    def _plain(self, field: str) -> str:
        text = str(self.cleaned_data[field])
        if not plain(text):
            raise forms.ValidationError("It may not begin with = + - @, nor hold a control character.")
        return text

    def clean_username(self) -> str | None:
        return self.cleaned_data["username"] or None

    def clean_new_password(self) -> str:
        password = self.cleaned_data["new_password"]
        if password:
            validate_password(password, self.instance)
        return str(password)

    def clean_new_pin(self) -> str:
        pin = self.cleaned_data["new_pin"]
        if pin and (why := pins.weakness(pin, badge=self.cleaned_data.get("badge", ""))):
            raise forms.ValidationError(why)
        return str(pin)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("username") and cleaned.get("role") not in LOGIN_ROLES:
            self.add_error("username", "This role signs beside the floorperson and has no login.")
        return cleaned

    def save(self, commit: bool = True) -> Staff:
        staff: Staff = super().save(commit=False)
        if self.cleaned_data["new_password"]:
            staff.set_password(self.cleaned_data["new_password"])
        elif not staff.password:
            staff.set_unusable_password()
        if self.cleaned_data["new_pin"]:
            staff.set_pin(self.cleaned_data["new_pin"])
        if commit:
            staff.save()
        return staff
