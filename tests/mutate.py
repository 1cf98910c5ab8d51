#!/usr/bin/env python3
"""Mutation test: change one token of the source at a time and count how many changes the tests catch.

usage: tests/mutate.py [--count 60] [--seed 7] [--folders format,evaluate,...] [--file PATH] [--units]

A change is one of: an arithmetic, comparison or logical operator replaced, an integer constant increased by one,
a condition negated.  The tests of the changed file run first, then those of its folder, then all unit tests, the
damaged-file tests and the comparison with other programs, until one fails.

The changes that all of these pass go through two more stages at the end.  First the tests of the changed file and of
its folder run again in a build with sanitizers, since a read one item too far changes no result of a release build.
Then the tests of the command line run, which take a minute each.  A stage stops if its tests fail in the unchanged
tree.  --units leaves both stages out.

A change that does not compile is not counted; another is drawn in its place.  Work is done in a copy of the
tree in out/mutate/tree, so the tree itself stays as it is.  Survivors are printed as a diff: judge them one by one,
since some changes are equivalent (they cannot be observed).
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys

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


def run(command, limit, **options):
    """True if the command ends with 0 within the limit [s]; what it has started ends with it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, start_new_session=True, **options)
    try:
        return process.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Tree:
    def __init__(self, folder, make):
        self.folder, self.make_words = folder, make
        if not os.path.isdir(folder):
            files = subprocess.check_output(['git', 'ls-files', '-z'], text=True).split('\0')
            for name in filter(None, files):
                if os.path.exists(name):
                    os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
                    shutil.copy2(name, os.path.join(folder, name))
            if os.path.isdir('../shared'):
                os.symlink(os.path.abspath('../shared'), os.path.join(os.path.dirname(folder), 'shared'))
        self.tests = sorted(
            os.path.join('out/build/release/tests', os.path.relpath(os.path.join(d, f), 'tests/unit'))[:-2]
            for d, _, names in os.walk('tests/unit') for f in names if f.endswith('.c'))
        self.damage = ['out/build/release/fuzz/damage_' + f[5:-2] for f in sorted(os.listdir('tests/fuzz'))
                       if f.startswith('fuzz_') and f.endswith('.c')]

        # test_elf.sh expects the program in one file.
        self.cli_tests = [f'tests/cli/{f}' for f in sorted(os.listdir('tests/cli'))
                          if f.startswith('test_') and f != 'test_elf.sh']

    def make(self, *goals):
        return run([*self.make_words, *goals], 900, cwd=self.folder)

    def passes(self, program, *arguments, limit=60):
        return run(['./' + program, *arguments], limit, cwd=self.folder)

    def covering(self, source):
        """The tests of a file, then those of its folder, then the damaged files of its format."""
        folder, name = source.split('/')[1], os.path.basename(source)[:-2]
        own = [t for t in self.tests if t.endswith(f'/{folder}/test_{name}')]
        near = [t for t in self.tests if f'/{folder}/' in t and t not in own]
        stem = name.split('_')[0]
        near.sort(key=lambda t: stem not in t)
        return own + near + [d for d in self.damage if d.endswith(('_' + stem, '_' + folder))]

    def order(self, source):
        covering = self.covering(source)
        return covering + [t for t in self.tests + self.damage if t not in covering]

    def read(self, path):
        with open(os.path.join(self.folder, path), encoding='utf-8') as file:
            return file.read()

    def write(self, path, text):
        with open(os.path.join(self.folder, path), 'w', encoding='utf-8') as file:
            file.write(text)

    def caught_by_units(self, source):
        """The first test program that fails, '' if none does, None if the change does not compile."""
        if not self.make('out/build/release/libodori.so'):
            return None
        for test in self.order(source):
            if not self.passes(test):
                return os.path.basename(test)
        shared = os.path.abspath('../shared')
        if os.path.isdir(shared) and not self.passes('out/build/release/oracle/oracle', shared):
            return 'oracle'
        return ''

    def sanitized(self, source):
        return [t.replace('/release/', '/asan/') for t in self.covering(source)]

    def caught_by_sanitizers(self, tests):
        """The first of these test programs that fails, or ''; a build that fails counts as no test."""
        if not self.make('VARIANT=asan', 'out/build/asan/libodori.so'):
            return ''
        return next((os.path.basename(t) for t in tests if not self.passes(t, limit=300)), '')

    def passes_cli_tests(self):
        return run([*self.make_words, 'out/build/release/libodori.so'], 900, cwd=self.folder) and \
            run([*self.make_words, 'cli-test', 'CLI_TESTS=' + ' '.join(self.cli_tests)], 900, cwd=self.folder)


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


def all_changes(tree, folders, only):
    candidates = []
    for folder in folders.split(','):
        for where, _, names in os.walk(os.path.join(tree.folder, 'src', folder)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(where, name), tree.folder)
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
        by = change.test(tree, lambda: tree.caught_by_units(path))
        if by is None:
            continue
        tried += 1
        print(f'{tried:3d} {"caught by " + by if by else "not caught":34s} {change if not by else f"{path}:{change.line}"}',
              flush=True)
        if not by:
            survivors.append(change)
    return tried, survivors


def try_sanitizers(tree, changes):
    """Returns the changes that the covering tests do not catch with sanitizers either."""
    tests = sorted({t for change in changes for t in tree.sanitized(change.path)})
    if changes and not tree.make('VARIANT=asan', *tests):
        sys.exit('mutate: the unchanged tree does not build with sanitizers')
    red = [t for t in tests if not tree.passes(t, limit=300)]
    if red:
        sys.exit('mutate: fail with sanitizers in the unchanged tree: ' + ' '.join(red))
    survivors = []
    for change in changes:
        by = change.test(tree, lambda: tree.caught_by_sanitizers(tree.sanitized(change.path)))
        print(f'    {"caught by asan " + by if by else "not caught by asan":34s} {change.path}:{change.line}', flush=True)
        if not by:
            survivors.append(change)
    return survivors


def try_cli_tests(tree, changes):
    """Returns the changes that the tests of the command line do not catch either."""
    if changes and not tree.passes_cli_tests():
        sys.exit('mutate: the tests of the command line fail in the unchanged tree; they could catch nothing')
    survivors = []
    for change in changes:
        passed = change.test(tree, tree.passes_cli_tests)
        print(f'    {"SURVIVED" if passed else "caught by cli-test":34s} {change.path}:{change.line}', flush=True)
        if passed:
            survivors.append(change)
    return survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=7)
    parser.add_argument('--folders', default='format,evaluate,dynamics,follow,job,math,checkpoint')
    parser.add_argument('--file', help='only changes of this file')
    parser.add_argument('--units', action='store_true', help='only the test programs, without sanitizers')
    parser.add_argument('--tree', default='out/mutate/tree')
    args = parser.parse_args()

    # One shared library: a change needs one compilation and one link, and every test program finds it.
    make = ['make', '-s', '--no-print-directory', 'SHARED_LIB=1', '-j', str(os.cpu_count())]
    make += [f'{name}={os.environ[name]}' for name in ('CC', 'CXX') if name in os.environ]
    os.environ['LSAN_OPTIONS'] = 'suppressions=tests/lsan.supp:print_suppressions=0'
    os.environ['ASAN_OPTIONS'] = 'allocator_may_return_null=1'
    tree = Tree(args.tree, make)
    if not tree.make('all', 'out/build/release/oracle/oracle', *tree.tests, *tree.damage):
        sys.exit('mutate: the unchanged tree does not build')
    red = [t for t in tree.tests + tree.damage if not tree.passes(t)]
    if red:
        sys.exit('mutate: fail in the unchanged tree: ' + ' '.join(red))

    candidates = all_changes(tree, args.folders, args.file)
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
