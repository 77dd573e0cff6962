"""How BenchExec finds and runs Cairn and reads its answers; see docs/bench.md."""

import json

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import ToolNotFoundException


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for Cairn, a software model checker for C."""

    # Below an installation, and below a build of the sources.
    FOLDERS = ["bin", "target/release", "target/debug"]
    # Beside the folder of the executable.
    LIBRARIES = ["lib", "../third_party/z3/lib"]

    def name(self):
        return "Cairn"

    def executable(self, tool_locator):
        for folder in self.FOLDERS:
            try:
                return tool_locator.find_executable("cairn", subdir=folder)
            except ToolNotFoundException:
                pass
        return tool_locator.find_executable("cairn")

    def program_files(self, executable):
        libraries = self._program_files_from_executable(
            executable, self.LIBRARIES, parent_dir=True
        )
        return [executable, *libraries]

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="cairn ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--json", "--quiet", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model"):
            command += ["--data-model", task.options["data_model"]]
        times = [t for t in (rlimits.cputime, rlimits.walltime) if t]
        if times and "--timeout" not in options:
            command += ["--timeout", f"{min(times)}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(rlimits.memory // 1_000_000)]
        return [*command, "--", *task.input_files_or_identifier]

    def determine_result(self, run):
        document = self._document(run.output)
        verdict = document.get("verdict")
        if verdict == "safe":
            return result.RESULT_TRUE_PROP
        if verdict == "unsafe":
            violated = document.get("violation", {}).get("property", "")
            return f"{result.RESULT_FALSE_PROP}({violated})"
        if verdict == "unknown":
            kind = document.get("reason", {}).get("kind")
            if kind == "timeout":
                return result.RESULT_TIMEOUT
            if kind == "memory":
                return "OUT OF MEMORY"
            if kind == "internal":
                return f"{result.RESULT_ERROR} (internal)"
            return result.RESULT_UNKNOWN
        if verdict == "error":
            return f"{result.RESULT_ERROR} (input)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """A value of the document by its path, as in `stats.steps` or `reason.message`."""
        value = self._document(output)
        for key in identifier.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return None if value is None else str(value)

    @staticmethod
    def _document(output):
        """The JSON document in the output: standard error may stand around it."""
        lines = [line.rstrip("\n") for line in output]
        try:
            start = lines.index("{")
            end = lines.index("}", start)
            return json.loads("\n".join(lines[start : end + 1]))
        except ValueError:
            return {}
