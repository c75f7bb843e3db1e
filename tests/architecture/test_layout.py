"""A thing of one kind is found under one file name, whichever app it is in."""

import ast

from tests.architecture.tree import ROOT, calls, dotted, files, syntax, tracked

TOP = {
    ".ci", ".gitignore", ".python-version", "LICENSE", "Makefile", "README.md", "deploy", "devices", "docs", "locale",
    "manage.py", "pit", "pyproject.toml", "requirements-dev.in", "requirements-dev.txt", "requirements.in",
    "requirements.txt", "static", "tables", "templates", "tests",
}  # fmt: skip
CODE = ("pit", "tables", "devices")


def defined_outside(file_name: str, base: str) -> list[str]:
    """Classes deriving from `base` (dotted, by its ending) in files of another name."""
    return [
        f"{path}:{node.lineno} {node.name}"
        for path in files(*CODE)
        if not path.endswith(f"/{file_name}")
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.ClassDef) and any(dotted(one).endswith(base) for one in node.bases)
    ]


def test_the_top_of_the_tree_holds_what_the_design_names():
    assert {path.split("/")[0] for path in tracked()} <= TOP


def test_models_are_in_models():
    assert not defined_outside("models.py", "models.Model")


def test_forms_are_in_forms():
    assert not defined_outside("forms.py", "forms.Form") + defined_outside("forms.py", "forms.ModelForm")


def test_admin_pages_are_in_admin():
    assert not defined_outside("admin.py", "admin.ModelAdmin")


def test_app_configurations_are_in_apps():
    assert not defined_outside("apps.py", "AppConfig")


def test_tasks_are_in_tasks():
    wrong = [
        f"{path}:{node.lineno} {node.name}"
        for path in files(*CODE)
        if not path.endswith("/tasks.py")
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.FunctionDef)
        and any(dotted(one).endswith("shared_task") for one in node.decorator_list)
    ]
    assert not wrong


def test_addresses_are_in_urls():
    wrong = [
        f"{path}:{line} {name}"
        for path in files(*CODE)
        if not path.endswith(("/urls.py", "/routing.py", "/asgi.py"))
        for line, name, _ in calls(path)
        if name in ("path", "re_path", "urls.path")
    ]
    assert not wrong


def test_answers_to_requests_are_in_views_or_middleware():
    """A function that takes `request` first stands in views, or in what wraps views."""
    wraps = (
        "/views.py",
        "/middleware.py",
        "/health.py",
        "/errors.py",
        "/admin.py",
        "/access.py",
        "/backends.py",
    )
    wrong = [
        f"{path}:{node.lineno} {node.name}"
        for path in files(*CODE)
        if not path.endswith(wraps) and "/views/" not in path and "templatetags" not in path
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.args.args
        and node.args.args[0].arg == "request"
        and node.returns is not None
        and "HttpResponse" in ast.dump(node.returns)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_folder_of_code_is_a_package_with_a_word_about_itself():
    """`__init__.py` holds its docstring or nothing; no code hides there."""
    wrong = [
        path
        for path in files(*CODE)
        if path.endswith("/__init__.py")
        and path != "pit/__init__.py"  # that one makes Celery's tasks find their application
        and any(
            not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            for node in syntax(path).body
        )
    ]
    assert not wrong


def test_every_module_says_what_it_holds():
    wrong = [
        path
        for path in files(*CODE, "deploy")
        if not path.endswith(("/__init__.py", "/apps.py"))
        and (ROOT / path).stat().st_size
        and not ast.get_docstring(syntax(path))
    ]
    assert not wrong
