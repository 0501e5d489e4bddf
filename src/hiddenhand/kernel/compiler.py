"""How rules are compiled: Numba's machinery, arranged so that little is done and nothing twice.

Numba by itself makes of every function machine code, a wrapper for Python, a wrapper for C and a file on disk. Most
rules are only ever called by other compiled rules. So there are two sorts here:

- a Part is a rule as compiled code calls it: typed and lowered to LLVM's language, left at that, and kept on disk so
  (that takes next to no time, and the next agent of a game finds most of its parts there);
- an Entry is a rule as Python (or the match loop, by address) calls it: all parts that it needs, optimised together
  once, with one wrapper, kept on disk under the fingerprint of everything that it depends on.
"""

import gc
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import binding as llvm

from hiddenhand.kernel.disk_cache import Disk, cache_directory
from hiddenhand.kernel.fingerprint import fingerprint
from hiddenhand.kernel.numba_compat import (
    CPUDispatcher,
    Environment,
    NativeLowering,
    codegen,
    compare_flags_quickly,
    global_compiler_lock,
    lookup_environment,
    named,
    register_pass,
    rtsys,
    serialize,
    sigutils,
    simplify_functions,
    types,
    widened,
)
from hiddenhand.kernel.numba_compat import numba_compiler as compiler
from hiddenhand.kernel.rule import Mode, NotCompiled, Rule

if TYPE_CHECKING:
    from hiddenhand.kernel.numba_compat import CompileResult, StateDict

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
FORMAT = 7  # of what is kept on disk
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of environments begin
PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
SELDOM = (200_000, 20, 20)
"""When garbage is collected while something is compiled (see `gc.set_threshold`)."""


compare_flags_quickly()


class PartLibrary(codegen.JITCodeLibrary):
    """The code of one rule in LLVM's language: never optimised nor made executable by itself."""

    key = ""
    """By which it is kept on disk."""
    environments: tuple[Any, ...] = ()
    """Constants that its code reads; kept alive here."""

    def finalize(self) -> None:
        self._finalized = True

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        self._final_module.link_in(ll_module)


class EntryLibrary(codegen.JITCodeLibrary):
    """The code of an entry with all its parts."""

    seen: tuple[str, ...] = ()
    """The functions that are called from outside."""

    _linking_libraries: Any

    def finalize(self) -> None:
        whole: dict[Any, None] = {}
        waiting = list(reversed(self._linking_libraries))
        while waiting:
            library = waiting.pop()
            if library not in whole:
                whole[library] = None
                if isinstance(library, PartLibrary):
                    waiting.extend(reversed(library._linking_libraries))
        self._linking_libraries = list(whole)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Only the entry itself is seen from outside: names that Numba gives may mean other things elsewhere.

        Each function is simplified before any is inlined: inlined as they were lowered, those of a large game grow
        eightfold, and most of the time would go into making that small again.
        """
        hide(self._final_module, self.seen)
        simplify_functions(self._codegen, self._final_module)
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Lowers a rule into a library of its own and makes it known to its callers."""

    _name = "part_lowering"

    def run_pass(self, state: "StateDict") -> bool:
        state.flags.no_compile = True
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        usual, number = state.targetctx.mangler, state.func_id.unique_id
        key = state.func_id.func.key.replace("-", "_")

        def mangler(name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> Any:
            """Parts are called the same in every process, so that one finds those of another."""
            if uid != number:
                return usual(name, types, abi_tags=abi_tags, uid=uid)
            return usual(f"{'.NumbaEnv' if name.startswith('.NumbaEnv.') else 'hiddenhand'}.{key}", ())

        state.targetctx.mangler = mangler
        super().run_pass(state)
        lowered = state["cr"]
        name = object()  # what callers know it by
        state.targetctx.insert_user_function(name, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=name)
        return True


class PartCompiler(compiler.CompilerBase):
    """Numba's usual way to lowered code, with our last step."""

    def define_pipelines(self) -> list[Any]:
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        for index, (step, text) in enumerate(passes.passes):
            if step is NativeLowering:
                passes.passes[index] = (PartLowering, text)
        passes._finalized = False
        passes.finalize()
        return [passes]


class Part(CPUDispatcher):
    """A rule as compiled code calls it."""

    compiled = 0
    """How many were compiled in this process."""
    watch: Callable[[str], None] | None = None
    """Told the name of each rule that is compiled."""

    def __init__(self, of: Rule) -> None:
        options = {**OPTIONS, **PART}
        if of.inline:
            options["forceinline"] = True
        self.of = of
        super().__init__(named(of), targetoptions=options, pipeline_class=PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Callers pass whole numbers as int64, whatever they hold them in: one version of a rule serves them all.

        That version alone is offered: others, for records that begin alike, would do for Numba too.
        """
        wide = {name: widened(of) for name, of in kws.items()}
        template, python_signature, args, kws = super().get_call_template(tuple(map(widened, args)), wide)
        made = self.overloads.get(tuple(args))
        if made is not None:
            template.cases = [made.signature]
        return template, python_signature, args, kws

    def compile(self, sig: Any) -> Any:
        """The lowered code for these argument types (and this return type), from disk or made here."""
        with global_compiler_lock:
            arguments, returned = sigutils.normalize_signature(sig)
            known = self.overloads.get(tuple(arguments))
            if known is None:
                key = key_of("part", self.of, arguments, returned)
                known = loaded_part(key)
                if known is None:
                    self.py_func.key = key
                    name = super().compile(sig)
                    saved_part(key, self.overloads[tuple(arguments)])
                    return name
                self.targetctx.insert_user_function(known.entry_point, known.fndesc, [known.library])
                self.overloads[tuple(arguments)] = known
            return known.entry_point

    def add_overload(self, cres: "CompileResult") -> None:
        Part.compiled += 1
        if Part.watch is not None:
            Part.watch(self.py_func.__name__)
        self.overloads[tuple(cres.signature.args)] = cres._replace(type_annotation=None)  # large, and of no more use


class RuleDispatcher(CPUDispatcher):
    """A rule as Python calls it."""

    def __init__(self, of: Rule) -> None:
        ready()
        self.rule = of
        super().__init__(of.function, targetoptions=dict(OPTIONS))

    def compile(self, sig: Any) -> Any:
        """The compiled function for these argument types."""
        with global_compiler_lock:
            arguments, _ = sigutils.normalize_signature(sig)
            if tuple(arguments) not in self.overloads:
                self.add_overload(self.code_for(tuple(arguments)))
            return self.overloads[tuple(arguments)].entry_point

    def code_for(self, arguments: tuple[Any, ...]) -> "CompileResult":
        """The code, which another rule with the same text may have had made before."""
        returned = getattr(types, self.rule.returns) if self.rule.returns else None
        key = key_of("entry", self.rule, arguments, returned)
        known = ENTRIES.get(key) or loaded(key)
        if known is None:
            if Rule.mode is not Mode.COMPILE:
                raise NotCompiled(self.rule.__name__)
            with seldom_collecting():
                known = self.build(arguments, returned)
            saved(key, known)
        ENTRIES[key] = known
        return known

    def load(self, arguments: tuple[Any, ...]) -> bool:
        """Whether compiled code for such arguments is there; from now on it is used."""
        try:
            self.compile(tuple(self.typeof_pyval(argument) for argument in arguments))
        except NotCompiled:
            return False
        return True

    def address(self, arguments: tuple[Any, ...]) -> int:
        """Where the machine code for these argument types begins."""
        self.compile(arguments)
        found = self.overloads[arguments]
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))

    def build(self, arguments: tuple[Any, ...], returned: "types.Type | None") -> "CompileResult":
        self.targetctx.refresh()  # where all parts come from disk, nothing else asks for Numba's own definitions
        part = self.rule.part
        if returned is not None:  # a return type of its own: not the part that others call
            part = Part(self.rule)
            part.compile(types.void(*arguments) if returned == types.none else returned(*arguments))
        else:
            part.compile(tuple(arguments))
        lowered = part.overloads[tuple(arguments)]
        context, description = lowered.target_context, copy(lowered.fndesc)
        description.env_name += "_entry"  # the wrapper's constants are its own: other entries hold the part as it is
        environment = Environment.from_fndesc(description)
        library = EntryLibrary(context.codegen(), description.qualname)
        library.enable_object_caching()
        library.seen = (description.llvm_func_name, description.llvm_cpython_wrapper_name)
        library.add_llvm_module(lowered.library._final_module.clone())
        for other in lowered.library._linking_libraries:
            library.add_linking_library(other)
        with context.push_code_library(library):
            context.create_cpython_wrapper(library, description, environment, lowered.call_helper, release_gil=True)
        library.finalize()
        result = lowered._replace(
            library=library,
            fndesc=description,
            environment=environment,
            entry_point=context.get_executable(library, description, environment),
        )
        for environment in result._find_referenced_environments():
            library.codegen.set_env(environment.env_name, environment)
        return result


ENTRIES: dict[str, Any] = {}
"""The entries of this process, by key."""


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Collect garbage seldom: else a tenth of the time goes into looking again and again at what is still in use."""
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def key_of(word: str, of: Rule, arguments: tuple[Any, ...], returned: "types.Type | None") -> str:
    """By which compiled code is kept: all that it depends on."""
    text = f"{fingerprint(of)}|{[str(kind) for kind in arguments]}|{returned}|{machine()}"
    return f"{word}-{hashlib.sha256(text.encode()).hexdigest()[:24]}"


@cache
def machine() -> str:
    """What compiled code depends on besides the rules: versions, the processor, and the checks asked for."""
    checked = os.environ.get("NUMBA_BOUNDSCHECK", "0")
    level = os.environ.get("NUMBA_OPT", "")
    target = CPUDispatcher.targetdescr.target_context.codegen().magic_tuple()
    return f"{FORMAT}|{numba.__version__}|{llvm.llvm_version_info}|{target}|{checked}|{level}"


@cache
def disk() -> Disk:
    return Disk(cache_directory())


def saved(key: str, result: "CompileResult") -> None:
    """Put compiled code on disk."""
    library, description = result.library, result.fndesc
    if library.has_dynamic_globals:  # addresses of this process
        return
    names = [description.llvm_cpython_wrapper_name, description.llvm_func_name]
    symbols = "\n".join(f'define void @"{name}"() {{ ret void }}' for name in names)
    stub = llvm.parse_assembly(symbols).as_bitcode()  # says which symbols there are; nothing is linked with an entry
    description.typemap = description.calltypes = None
    data = (
        (library.name, "object", (library._get_compiled_object(), stub)),
        description,
        result.environment,
        result.signature,
        False,
        (),
        "",
        result.reload_init,
        tuple(result._find_referenced_environments()),
    )
    disk().write(key, serialize.dumps(data))


def loaded(key: str) -> "CompileResult | None":
    """Compiled code from disk, or None."""
    data = disk().read(key)
    if data is None:
        return None
    context = CPUDispatcher.targetdescr.target_context
    try:
        return compiler.CompileResult._rebuild(context, *pickle.loads(data))
    except Exception:  # a damaged file: compiled anew
        disk().remove(key)
        return None


def hide(module: llvm.ModuleRef, seen: tuple[str, ...]) -> None:
    """Make all functions of a module private but these."""
    for function in module.functions:
        if not function.is_declaration and function.name not in seen:
            function.linkage = "internal"


PARTS: dict[str, PartLibrary] = {}
"""The parts of this process, by key."""


def saved_part(key: str, result: "CompileResult") -> None:
    """Put lowered code on disk: what Numba's own functions add to it goes along, other parts are named by key.

    (Numba writes the address of every rule that is called into the code; nothing reads it: optimised, it is gone.)
    """
    library, description = result.library, result.fndesc
    library.key = key
    PARTS[key] = library
    others = [other for other in dict.fromkeys(library._linking_libraries) if not isinstance(other, PartLibrary)]
    parts = [other.key for other in dict.fromkeys(library._linking_libraries) if isinstance(other, PartLibrary)]
    module = library._final_module.clone()
    for other in others:
        if other is not rtsys.library:
            module.link_in(other._get_module_for_linking(), preserve=True)
    hide(module, (description.llvm_func_name,))
    description.typemap = description.calltypes = None
    names = [gv.name for gv in module.global_variables]
    environments = [lookup_environment(name) for name in names if name.startswith(ENVIRONMENT)]
    library.environments = tuple(filter(None, environments))
    data = (
        library.name,
        module.as_bitcode(),
        parts,
        description,
        result.environment,
        result.signature,
        result.reload_init,
        library.environments,
    )
    disk().write(key, serialize.dumps(data))


def loaded_part(key: str) -> "CompileResult | None":
    """Lowered code from disk, or None."""
    data = disk().read(key)
    if data is None:
        return None
    target = CPUDispatcher.targetdescr
    try:
        name, code, parts, description, environment, signature, again, environments = pickle.loads(data)
        for each in again:
            each()
        library = PartLibrary(target.target_context.codegen(), name)
        library._final_module = llvm.parse_bitcode(code)
        library.environments = environments
        for other in parts:
            if other not in PARTS and loaded_part(other) is None:
                return None
            library.add_linking_library(PARTS[other])
        library.add_linking_library(rtsys.library)
    except Exception:  # a damaged file: compiled anew
        disk().remove(key)
        return None
    library.key = key
    PARTS[key] = library
    return compiler.compile_result(
        typing_context=target.typing_context,
        target_context=compiler._make_subtarget(target.target_context, part_flags()),
        signature=signature,
        fndesc=description,
        library=library,
        entry_point=object(),
        environment=environment,
        objectmode=False,
        lifted=(),
        reload_init=again,
    )


@cache
def part_flags() -> Any:
    """How parts are compiled, in Numba's terms."""
    flags = compiler.Flags()
    CPUDispatcher.targetdescr.options.parse_as_flags(flags, {**OPTIONS, **PART})
    return flags


@cache
def ready() -> None:
    """Numba's run-time functions: compiled code from disk needs them too; all else waits until something compiles."""
    rtsys.initialize(CPUDispatcher.targetdescr.target_context)
