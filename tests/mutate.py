#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation test: change one token of the source at a time and count how many changes the tests catch.

usage: tests/mutate.py [--count 60] [--seed 7] [--directories format,run/checkpoint,...] [--file PATH] [--units]

A change is one of: an arithmetic, comparison or logical operator replaced, an integer constant increased by one,
a condition negated.  The tests of the changed file run first, then those of its directory, then the quickest
other tests that execute the changed line (a build with coverage finds them; of all tests if it names none), then the
comparison with other programs, until one fails.

The changes that all of these pass go through two more stages at the end.  First the tests of the changed file and of
its directory run again in a build with sanitizers, since a read one item too far changes no result of a release build.
Then the tests of the command line that use the directory (CLI_TESTS) run until one fails, which takes minutes for each
change.  A stage stops if its tests fail in the unchanged tree.  --units leaves both stages out.

A changed source becomes a library of its own that is loaded before ours (LD_PRELOAD), so that nothing is linked again.
A change that does not compile is not counted; another is drawn in its place.  Work is done in a copy of the
tree in out/mutate/tree, so the tree itself stays as it is.  Survivors are printed as a diff: judge them one by one,
since some changes are equivalent (they cannot be observed).
"""
import argparse
import filecmp
import glob
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*'
    r'|\b\d+(?:\.\d*)?(?:[eE][-+]?\d+)?[fuUlL]*\b|0[xX][0-9a-fA-F]+'
    r'|[A-Za-z_]\w*|->|\+\+|--|<<=?|>>=?|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s]', re.S)
SWAPS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&',
         '+': '-', '-': '+', '*': '/', '/': '*', '+=': '-=', '-=': '+='}
BINARY_BEFORE = re.compile(r'[\w)\]]$')


def mutations(text):
    """Every possible change of a C source: (offset, length, replacement), inside function bodies only."""
    found, depth, start, previous = [], 0, 0, ''
    for match in TOKEN.finditer(text):
        token, at = match.group(0), match.start()
        if token[0] in '#"\'' or token.startswith(('//', '/*')):
            continue
        line = text[text.rfind('\n', 0, at) + 1:at]
        inside = line.startswith('    ') and 'assert(' not in line and 'static const' not in line
        if inside and depth > 0:
            if token in SWAPS:
                # Pointers, signs and address operators are not binary operators.
                if token not in '+-*/' or (BINARY_BEFORE.search(previous) and text[at - 1] == ' '
                                           and text[match.end():match.end() + 1] == ' '):
                    found.append((at, len(token), SWAPS[token]))
            elif re.fullmatch(r'\d+', token):
                found.append((at, len(token), str(int(token) + 1)))
            elif token == 'if':
                end = text.find('(', at)
                if end == match.end() + 1:
                    found.append((end, 1, '(!('))
        depth += token == '{'
        depth -= token == '}'
        previous = token
    return found


def apply(text, mutation):
    at, length, new = mutation
    if new != '(!(':
        return text[:at] + new + text[at + length:]
    depth, i = 0, at
    while True:  # the closing bracket of the condition
        depth += (text[i] == '(') - (text[i] == ')')
        if depth == 0:
            break
        i += 1
    return text[:at] + '(!(' + text[at + 1:i] + '))' + text[i + 1:]


MAX_OTHERS = 20  # tests of other directories for one change

# Parts of the names of the tests of the command line that use what is in a directory.
CLI_TESTS = {
    'checkpoint': 'status shards conflicts replace output_lock stop kill calls faults',
    'format': 'assets convert pmm info archives golden export look plot',
    'job': 'job mistakes usage short_forms plan names batch schema limits archives',
    'evaluate': 'golden render export passes',
    'cloth': 'golden render mistakes',
    'mocap': 'convert',
    'dynamics': 'golden render mistakes',
    'follow': 'follow',
    'math': 'golden look follow render export',
}


def run(command, limit, **options):
    """True if the command ends with 0 within the limit [s]; what it has started ends with it."""
    options = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, **options}
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    try:
        return process.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def program_of(test):
    return test.split(':')[0]


def name_of(test):
    return re.split('[/:]', test)[-1]


class Tree:
    def __init__(self, directory, directories, make):
        self.directory, self.directories, self.make_words = directory, directories, make
        self.copy_files()
        listed = subprocess.check_output([*make, 'list-tests'], cwd=directory, text=True).split()
        self.damage = [t for t in listed if '/fuzz/damage:' in t]
        self.tests = [t for t in listed if t not in self.damage]
        # test_elf.sh expects the program in one file.
        self.cli_tests = [f'tests/cli/{f}' for f in sorted(os.listdir('tests/cli'))
                          if f.startswith('test_') and f != 'test_elf.sh']

    def copy_files(self):
        """Makes the copy equal to the tree, with no new time on files that are equal already."""
        files = subprocess.check_output(['git', 'ls-files', '-z'], text=True).split('\0')
        files = {name for name in files if name and os.path.exists(name)}
        for name in files:
            copy = os.path.join(self.directory, name)
            if not os.path.exists(copy) or not filecmp.cmp(name, copy, shallow=False):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(name, copy)
        for part in ('src', 'tests', 'shaders', 'configs'):
            for where, _, names in os.walk(os.path.join(self.directory, part)):
                for name in names:
                    if os.path.relpath(os.path.join(where, name), self.directory) not in files:
                        os.remove(os.path.join(where, name))
        shared = os.path.join(os.path.dirname(self.directory), 'shared')
        if os.path.isdir('../shared') and not os.path.lexists(shared):
            os.symlink(os.path.abspath('../shared'), shared)

    def make(self, *goals):
        return run([*self.make_words, *goals], 900, cwd=self.directory)

    def passes(self, test, *arguments, limit=120, **options):
        """test: a program, or PROGRAM:FILE as for tests/run.sh."""
        return run(['./' + test.split(':')[0], *test.split(':')[1:], *arguments], limit, cwd=self.directory, **options)

    def read_lines(self, test, library):
        """The lines of src/ that a test executes, {source: [line]}; a library with coverage replaces ours."""
        for name in glob.glob(library + '/**/*.gcda', recursive=True):
            os.remove(name)
        self.passes(test, limit=600, env={**os.environ, 'LD_LIBRARY_PATH': library})
        counts = [name for directory in self.directories
                  for name in glob.glob(f'{library}/{directory}/**/*.gcda', recursive=True)]
        command = ['gcov', '--json-format', '--stdout', *counts]
        output = subprocess.run(command, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=False).stdout if counts else b''
        return {file['file']: [line['line_number'] for line in file['lines'] if line['count']]
                for unit in output.splitlines() for file in json.loads(unit)['files']}

    def digest(self, path):
        with open(os.path.join(self.directory, path), 'rb') as file:
            return hashlib.sha256(file.read()).hexdigest()

    def check_tests(self):
        """Runs all tests in the unchanged tree and notes which lines they execute: {(source, line): tests}.
        Only what changed since the last time runs again.  Returns the tests that fail."""
        kept = os.path.join(os.path.dirname(self.directory), 'lines.json')
        sources = [os.path.relpath(f, self.directory) for f in glob.glob(self.directory + '/src/**/*.[ch]*', recursive=True)]
        source = hashlib.sha256(''.join(self.directories + [self.digest(f) for f in sorted(sources)]).encode()).hexdigest()
        known = {}
        if os.path.exists(kept):
            with open(kept, encoding='utf-8') as file:
                known = json.load(file)
        known = known['tests'] if known.get('source') == source else {}
        library = os.path.join(os.path.abspath(self.directory), 'out/build/coverage')
        covered = self.make('VARIANT=coverage', 'out/build/coverage/libodori.so')
        red, tests, self.lines, self.seconds = [], {}, {}, {}
        for test in self.tests + self.damage:
            digest = self.digest(program_of(test))
            if known.get(test, {}).get('digest') != digest:
                begin = time.monotonic()
                if not self.passes(test, limit=300):
                    red.append(test)
                    continue
                known[test] = {'digest': digest, 'seconds': time.monotonic() - begin,
                               'lines': self.read_lines(test, library) if covered else {}}
            tests[test] = known[test]
            self.seconds[test] = known[test]['seconds']
            for name, lines in known[test]['lines'].items():
                for line in lines:
                    self.lines.setdefault((name, line), set()).add(test)
        with open(kept, 'w', encoding='utf-8') as file:
            json.dump({'source': source, 'tests': tests}, file)
        return red

    def covering(self, source):
        """The tests of a file, then those of its directory and of its room, then the damaged files of its format."""
        room, name = source.split('/')[1], os.path.basename(source)[:-2]
        directory = '/'.join(source.split('/')[2:-1])
        own = [t for t in self.tests if name_of(t) == 'test_' + name]
        near = [t for t in self.tests if f'/{room}:' in t and t not in own]
        stem = name.split('_')[0]
        near.sort(key=lambda t: (stem not in t, f':{directory}/' not in t))
        return own + near + [d for d in self.damage if d.endswith((':' + stem, ':' + room))]

    def order(self, source, line):
        """The tests for a change: those that cover the file, then the quickest others that execute the line."""
        covering = self.covering(source)
        executing = self.lines.get((source, line), self.tests + self.damage)
        others = [t for t in self.tests + self.damage if t in executing and t not in covering]
        return covering + sorted(others, key=lambda t: self.seconds[t])[:MAX_OTHERS]

    def read(self, path):
        with open(os.path.join(self.directory, path), encoding='utf-8') as file:
            return file.read()

    def write(self, path, text):
        with open(os.path.join(self.directory, path), 'w', encoding='utf-8') as file:
            file.write(text)

    def compile(self, change, variant):
        """Compiles a changed source to a library that replaces its functions (LD_PRELOAD); None if it does not."""
        wanted = f'out/build/{variant}/{change.path[4:-2]}.o'
        make = [*self.make_words, f'VARIANT={variant}', '-n', '-W', change.path, wanted]
        lines = subprocess.run(make, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               check=True).stdout.splitlines()
        command = shlex.split(next(line for line in lines if ' -c -o ' in line))
        directory = os.path.join(os.path.dirname(os.path.abspath(self.directory)), 'change')
        os.makedirs(directory, exist_ok=True)
        source, library = os.path.join(directory, os.path.basename(change.path)), os.path.join(directory, 'change.so')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(change.changed)
        command = [source if word == change.path else word for word in command[:command.index('-MMD')]]
        command += ['-shared', '-o', library, source, f'out/build/{variant}/libodori.so']
        return library if run(command, 600, cwd=self.directory) else None

    def caught_by_units(self, change):
        """The first test program that fails, '' if none does, None if the change does not compile."""
        library = self.compile(change, 'release')
        if not library:
            return None
        environment = {**os.environ, 'LD_PRELOAD': library}
        for test in self.order(change.path, change.line):
            if not self.passes(test, env=environment):
                return name_of(test)
        shared = os.path.abspath('../shared')
        if os.path.isdir(shared) and not self.passes('out/build/release/oracle/oracle', shared, env=environment):
            return 'oracle'
        return ''

    def sanitized(self, source):
        return [t.replace('/release/', '/asan/') for t in self.covering(source)]

    def caught_by_sanitizers(self, change):
        """The first of the tests with sanitizers that fails, or ''."""
        library = self.compile(change, 'asan')
        options = os.environ['ASAN_OPTIONS'] + ':verify_asan_link_order=0'
        environment = {**os.environ, 'LD_PRELOAD': library or '', 'ASAN_OPTIONS': options}
        return next((name_of(t) for t in self.sanitized(change.path)
                     if library and not self.passes(t, limit=300, env=environment)), '')

    def cli_tests_of(self, source):
        words = next((CLI_TESTS[d] for d in reversed(source.split('/')[:-1]) if d in CLI_TESTS), '').split()
        return [t for t in self.cli_tests if any(w in t for w in words)] or self.cli_tests

    def caught_by_cli_tests(self, tests):
        """The first of these tests of the command line that fails, or ''."""
        if not self.make('out/odori'):
            return 'build'
        with tempfile.TemporaryFile('w+') as output:
            if run([*self.make_words, 'cli-test', 'TEST_STOP=1', 'CLI_TESTS=' + ' '.join(tests)], 3600,
                   cwd=self.directory, stdout=output):
                return ''
            output.seek(0)
            failed = re.findall(r'^(\S+) +\d+ passed +[1-9]\d* failed', output.read(), re.M)
            return failed[0] if failed else 'time limit'


class Change:
    def __init__(self, path, text, mutation):
        self.path, self.text, self.changed = path, text, apply(text, mutation)
        self.line = text.count('\n', 0, mutation[0]) + 1

    def __str__(self):
        old = self.text.split('\n')[self.line - 1].strip()
        new = self.changed.split('\n')[self.line - 1].strip()
        return f'{self.path}:{self.line}\n      - {old}\n      + {new}'

    def test(self, tree, test):
        tree.write(self.path, self.changed)
        try:
            return test()
        finally:
            tree.write(self.path, self.text)


def all_changes(tree, only):
    candidates = []
    for directory in tree.directories:
        for where, _, names in os.walk(os.path.join(tree.directory, 'src', directory)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(where, name), tree.directory)
                if name.endswith('.c') and (not only or path == only):
                    candidates += [(path, m) for m in mutations(tree.read(path))]
    return sorted(candidates)


def try_units(tree, candidates, count):
    """Draws changes until `count` of them compiled; returns those that no test program caught."""
    tried, survivors = 0, []
    for path, mutation in candidates:
        if tried == count:
            break
        change = Change(path, tree.read(path), mutation)
        by = tree.caught_by_units(change)
        if by is None:
            continue
        tried += 1
        result = f'caught by {by}' if by else 'not caught'
        print(f'{tried:3d} {result:34s} {change if not by else f"{path}:{change.line}"}', flush=True)
        if not by:
            survivors.append(change)
    return tried, survivors


def try_sanitizers(tree, changes):
    """Returns the changes that the covering tests do not catch with sanitizers either."""
    tests = sorted({t for change in changes for t in tree.sanitized(change.path)})
    if changes and not tree.make('VARIANT=asan', *{program_of(t) for t in tests}):
        sys.exit('mutate: the unchanged tree does not build with sanitizers')
    red = [t for t in tests if not tree.passes(t, limit=300)]
    if red:
        sys.exit('mutate: fail with sanitizers in the unchanged tree: ' + ' '.join(red))
    survivors = []
    for change in changes:
        by = tree.caught_by_sanitizers(change)
        result = f'caught by asan {by}' if by else 'not caught by asan'
        print(f'    {result:34s} {change.path}:{change.line}', flush=True)
        if not by:
            survivors.append(change)
    return survivors


def try_cli_tests(tree, changes):
    """Returns the changes that the tests of the command line do not catch either."""
    tests = sorted({t for change in changes for t in tree.cli_tests_of(change.path)})
    red = tree.caught_by_cli_tests(tests) if tests else ''
    if red:
        sys.exit(f'mutate: fails in the unchanged tree, so that it could catch nothing: {red}')
    survivors = []
    for change in changes:
        by = change.test(tree, lambda: tree.caught_by_cli_tests(tree.cli_tests_of(change.path)))
        print(f'    {"caught by " + by if by else "SURVIVED":34s} {change.path}:{change.line}', flush=True)
        if not by:
            survivors.append(change)
    return survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=7)
    parser.add_argument('--directories', default='format,evaluate,scene,job,math,run/checkpoint')
    parser.add_argument('--file', help='only changes of this file')
    parser.add_argument('--units', action='store_true', help='only the test programs, without sanitizers')
    parser.add_argument('--tree', default='out/mutate/tree')
    args = parser.parse_args()

    # One shared library: every test program finds it, and a changed file replaces its functions.
    make = ['make', '-s', '--no-print-directory', 'SHARED_LIB=1', '-j', str(os.cpu_count())]
    make += [f'{name}={os.environ[name]}' for name in ('CC', 'CXX') if name in os.environ]
    os.environ['LSAN_OPTIONS'] = 'suppressions=tests/lsan.supp:print_suppressions=0'
    os.environ['ASAN_OPTIONS'] = 'allocator_may_return_null=1'
    tree = Tree(args.tree, args.directories.split(','), make)
    if not tree.make('all', 'out/build/release/oracle/oracle', *{program_of(t) for t in tree.tests + tree.damage}):
        sys.exit('mutate: the unchanged tree does not build')
    red = tree.check_tests()
    if red:
        sys.exit('mutate: fail in the unchanged tree: ' + ' '.join(red))

    candidates = all_changes(tree, args.file)
    random.Random(args.seed).shuffle(candidates)
    tried, survivors = try_units(tree, candidates, args.count)
    if not args.units:
        survivors = try_cli_tests(tree, try_sanitizers(tree, survivors))
    print('\nsurvivors:' if survivors else '\nno survivors')
    for change in survivors:
        print(change)
    caught = tried - len(survivors)
    print(f'{caught} of {tried} changes caught ({100 * caught / max(tried, 1):.0f} %), seed {args.seed}')


if __name__ == '__main__':
    main()
