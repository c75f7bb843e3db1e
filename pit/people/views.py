"""Sign-in, hand-over of a shared tablet, one's own password, PIN and tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from axes.utils import reset
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pit.people.backends import axes_badge
from pit.people.forms import HandoverForm, PasswordForm, PinForm, SignInForm, TokenForm
from pit.people.models import Staff, Token
from pit.web import clock

HANDOVER = "pit.people.backends.HandoverBackend"


def signed_in_staff(request: HttpRequest) -> Staff:
    """The person who asks; every view here is behind the sign-in."""
    return cast("Staff", request.user)


class SignIn(LoginView):
    """Name and password. Signing in gives the session a new key."""

    template_name = "people/sign_in.html"
    authentication_form = SignInForm


class SignOut(LogoutView):
    """By POST only: a link elsewhere signs nobody out."""

    next_page = "people:sign-in"


@sensitive_post_parameters("pin")
@never_cache
@require_http_methods(["GET", "POST"])
def handover(request: HttpRequest) -> HttpResponse:
    """Another person takes over this tablet by badge and PIN; the old session ends, the new one has a new key."""
    form = HandoverForm(request.POST or None, request=request)
    target = _safe_next(request)
    if request.method == "POST" and form.is_valid() and form.staff is not None:
        reset(username=axes_badge(form.staff.property_id, form.staff.badge))
        login(request, form.staff, backend=HANDOVER)
        return redirect(target)
    status = 422 if form.errors else 200
    return render(request, "people/handover.html", {"form": form, "next": target}, status=status)


def _safe_next(request: HttpRequest) -> str:
    target = request.POST.get("next", request.GET.get("next", ""))
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if safe else settings.LOGIN_REDIRECT_URL


class ChangePassword(PasswordChangeView):
    """A new password; every other session of this person ends."""

    template_name = "people/password.html"
    form_class = PasswordForm
    success_url = reverse_lazy("people:me")

    @method_decorator(never_cache)
    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(*args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed. You are signed out everywhere else.")
        return super().form_valid(form)


@sensitive_post_parameters("password", "pin", "again")
@never_cache
@require_http_methods(["GET", "POST"])
def change_pin(request: HttpRequest) -> HttpResponse:
    """A new PIN, under one's password; every other session of this person ends."""
    staff = signed_in_staff(request)
    form = PinForm(request.POST or None, staff=staff)
    if request.method == "POST" and form.is_valid():
        staff.set_pin(form.cleaned_data["pin"])
        staff.save(update_fields=["pin"])
        update_session_auth_hash(request, staff)
        messages.success(request, "Your PIN is changed.")
        return redirect("people:me")
    return render(request, "people/pin.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
@never_cache
def me(request: HttpRequest) -> HttpResponse:
    """One's own account: who the house takes me for, my password, PIN and tokens."""
    tokens = Token.objects.filter(staff=signed_in_staff(request), revoked_at__isnull=True)
    return render(request, "people/me.html", {"tokens": tokens})


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def new_token(request: HttpRequest) -> HttpResponse:
    """Makes an API token and shows its text this once."""
    staff = signed_in_staff(request)
    form = TokenForm(request.POST or None, staff=staff)
    text = ""
    if request.method == "POST" and form.is_valid():
        now = clock.now()
        until = now + timedelta(days=form.cleaned_data["days"])
        _, text = Token.issue(staff, label=form.cleaned_data["label"], now=now, expires_at=until)
    context = {"form": form, "text": text}
    return render(request, "people/token.html", context, status=422 if form.errors else 200)


@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Ends one of one's own tokens."""
    token = get_object_or_404(Token, pk=pk, staff=signed_in_staff(request), revoked_at__isnull=True)
    token.revoked_at = clock.now()
    token.save(update_fields=["revoked_at"])
    return redirect("people:me")
