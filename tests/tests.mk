# SPDX-License-Identifier: MIT
# Tests, fuzzers, comparisons, benchmarks and lint; included by ../Makefile.

.PHONY: test unit list-tests cli-test asan coverage coverage-run fuzz fuzz-run mutants mutants-run cutflip cutflip-run golden pictures pixels oracle vowels faults soak attack slurm bench \
        mutate distros lint lint-fast format compdb

DATA ?= ../shared/data
SHARED ?= ../shared

# Programs named in prerequisites before their rules.
FORMATS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZERS := $(FORMATS:%=$(BUILD)/fuzz/fuzz_%)
DAMAGE := $(BUILD)/fuzz/damage
DAMAGED := $(FORMATS:%=$(DAMAGE):%)
ORACLE := $(BUILD)/oracle/oracle $(BUILD)/oracle/oracle-peer

# The flags of the test library, and the fastest linker that the compiler finds (for the tests of the release variant
# only), asked once and only by goals that compile tests.
TEST_FLAGS := $(OUT)/build/test-flags.mk
ifneq ($(filter-out all demo debug setup install uninstall clean help format lint-fast $(OUT)/odori $(BUILD)/odori,$(or $(MAKECMDGOALS),all)),)
include $(TEST_FLAGS)
endif

$(TEST_FLAGS): configs/packaging/setup.sh tests/tests.mk $(ASK) | $(FLAGS)
	@$(SETUP) $(SETUP_ACTION) test
	@linker=; for l in gold lld; do \
	    if echo 'int main(void) { return 0; }' | $(CC) -fuse-ld=$$l -x c -o $@.linked - 2>/dev/null; then linker=-fuse-ld=$$l; fi; \
	 done; rm -f $@.linked; \
	 cflags=$$($(PKG_CONFIG) --cflags cmocka) && libs="$$($(PKG_CONFIG) --libs cmocka) -Wl,--as-needed $$($(PKG_CONFIG) --libs $(LIBAV))" && \
	 printf '%s\n' "TEST_CFLAGS := $$cflags" "TEST_LIBS := $$libs" "TEST_LINKER := $$linker" > $@.tmp && mv $@.tmp $@

INCLUDE_TESTS := -Itests/support -Itests/oracle
SUPPORT_LIB := $(BUILD)/libsupport.a
# Compiling the tests with optimization takes longer than the tests take without it; the library is as it is used.
# Debug information has their lines and functions, no variables.
TEST_CFLAGS_release := -O0 -g1
$(addprefix $(BUILD)/test/objects/,support/skin_model.o unit/evaluate/follow/test_framing.o): TEST_CFLAGS_release := -O1 -g1 # they visit all vertices of many frames
TEST_LDFLAGS_release = $(TEST_LINKER)
TEST_COMPILE = $(INCLUDE_TESTS) $(TEST_CFLAGS) $(TEST_CFLAGS_$(VARIANT)) $(RENAME) -MMD -MP -c -o $@ $<

$(BUILD)/test/objects/%.o: tests/%.c | $(TEST_FLAGS)
	$(call report,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(TEST_COMPILE)

$(BUILD)/test/objects/%.o: tests/%.cpp | $(TEST_FLAGS)
	$(call report,CXX,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(ALL_CXXFLAGS) $(TEST_COMPILE)

# The objects of the tests in a directory: $(call test_objects,support)
test_objects = $(patsubst tests/%.c,$(BUILD)/test/objects/%.o,$(wildcard tests/$(1)/*.c))
-include $(patsubst tests/%.c,$(BUILD)/test/objects/%.d,$(wildcard tests/*/*.c tests/unit/*/*.c tests/unit/*/*/*.c)) \
         $(patsubst tests/%.cpp,$(BUILD)/test/objects/%.d,$(wildcard tests/unit/*/*/*.cpp)) \
         $(BUILD)/test/objects/oracle/oracle-peer.d $(FORMATS:%=$(BUILD)/test/objects/damage/fuzz_%.d) $(wildcard $(BUILD)/gen/tests/*.d $(BUILD)/gen/damage_formats.d)

# $(call link_test,libraries before ours,flags)
link_test = $(Q)mkdir -p $(@D) && $(CC) $(ALL_LDFLAGS) $(TEST_LDFLAGS_$(VARIANT)) $(2) -o $@ $(filter %.o,$^) $(1) $(LIB) $(PKG_LIBS) $(TEST_LIBS)

$(SUPPORT_LIB): $(call test_objects,support)
	$(call report,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# ---- unit tests: the files of tests/unit/<room>/, each with a main for cmocka, are one program a room ----------
TEST_FILES := $(basename $(patsubst tests/unit/%,%,$(wildcard tests/unit/*/*.c tests/unit/*/*/*.c tests/unit/*/*.cpp tests/unit/*/*/*.cpp)))
# These define functions of libraries, or of ours, anew, or start their own program with arguments: a program each.
ALONE := $(filter $(addprefix %/,test_frame test_physics_pose_bones test_sound test_media_faults test_lock test_output_lock \
    test_ledger_faults test_subprocess),$(TEST_FILES))
TOGETHER := $(filter-out $(ALONE),$(TEST_FILES))
ROOMS := $(sort $(foreach t,$(TOGETHER),$(firstword $(subst /, ,$(t)))))
ROOM_PROGRAMS := $(ROOMS:%=$(BUILD)/test/%)
ALONE_PROGRAMS := $(addprefix $(BUILD)/test/,$(notdir $(ALONE)))
# The programs, and what tests/run.sh runs: a program, or PROGRAM:FILE.
UNIT_PROGRAMS := $(ROOM_PROGRAMS) $(ALONE_PROGRAMS)
UNIT := $(foreach r,$(ROOMS),$(patsubst $(r)/%,$(BUILD)/test/$(r):%,$(filter $(r)/%,$(TOGETHER)))) $(ALONE_PROGRAMS)

# Several mains in a program: each has the name of its file.
$(TOGETHER:%=$(BUILD)/test/objects/unit/%.o): RENAME = -Dmain=$(subst /,_,$*) -include tests/unit/main.h

# The directories are newer after a file was added, renamed or removed.
$(ROOMS:%=$(BUILD)/gen/tests/%.c): $(BUILD)/gen/tests/%.c: $(wildcard tests/unit/*/ tests/unit/*/*/) tests/tests.mk
	@mkdir -p $(@D)
	@printf '%s\n' '#include "test_file.h"' $(foreach t,$(filter $*/%,$(TOGETHER)),'int unit_$(subst /,_,$(t))(void);') \
	    'const TestFile TEST_FILES[] = {' \
	    $(foreach t,$(filter $*/%,$(TOGETHER)),'    {"$(t:$*/%=%)", unit_$(subst /,_,$(t))},') '    {0}};' >$@
$(ROOMS:%=$(BUILD)/gen/tests/%.o): ALL_CFLAGS += $(INCLUDE_TESTS)

$(foreach r,$(ROOMS),$(eval $(BUILD)/test/$(r): $(patsubst %,$(BUILD)/test/objects/unit/%.o,$(filter $(r)/%,$(TOGETHER)))))
$(foreach t,$(ALONE),$(eval $(BUILD)/test/$(notdir $(t)): $(BUILD)/test/objects/unit/$(t).o))
$(ROOM_PROGRAMS): $(BUILD)/test/%: $(BUILD)/gen/tests/%.o $(BUILD)/test/objects/unit/main.o
$(ALONE_PROGRAMS): LDFLAGS += -rdynamic # what they define also replaces functions of libraries that are opened at run time
$(UNIT_PROGRAMS): $(SUPPORT_LIB) $(LIB)
	$(call report,LINK,$@)
	$(call link_test,$(SUPPORT_LIB))

# Tests of exhausted memory ask for more than the allocator of the sanitizer grants.
SANITIZER_ENV := LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 ASAN_OPTIONS=allocator_may_return_null=1

# Mesa keeps compiled shaders there, and the program its own: nothing is kept in the home of the user.
CACHE := $(BUILD)/cache
CACHE_ENV := XDG_CACHE_HOME=$(abspath $(CACHE)) MESA_SHADER_CACHE_DIR=$(abspath $(CACHE)/odori) MESA_DISK_CACHE_MULTI_FILE=true

unit: $(UNIT_PROGRAMS) $(DAMAGE) ## run the unit tests of this variant (VARIANT=asan: with sanitizers)
	@install -d -m 700 $(CACHE)/odori
	@$(CACHE_ENV) $(SANITIZER_ENV) bash tests/run.sh $(UNIT) $(DAMAGED)

list-tests:
	@printf '%s\n' $(UNIT) $(DAMAGED)

asan: ## run the unit tests with address and undefined behaviour sanitizers
	@$(MAKE) --no-print-directory VARIANT=asan unit

coverage: ## lines and branches of src/ that unit tests and the tests of damaged runs reach, by directory (minutes)
	@$(MAKE) --no-print-directory VARIANT=coverage coverage-run

# ---- tests of the command line: they share the demo's assets ----------------------------------------
DEMO := $(BUILD)/demo
NEAR := $(BUILD)/golden/near
JSON_CHECK := $(BUILD)/cli/json_check
SHIM := $(BUILD)/faults/shim.so
PROBE := $(BUILD)/parsers/odori
COARSE := $(BUILD)/cli/coarse
CLI_TESTS := $(wildcard tests/cli/test_*.sh)
CLI_ENV = ODORI=$(abspath $(OUT)/odori) ODORI_DEMO=$(abspath $(DEMO)/coarse) NEAR=$(abspath $(NEAR)) JSON_CHECK=$(abspath $(JSON_CHECK)) SHIM=$(abspath $(SHIM)) \
    PROBE=$(abspath $(PROBE)) SEEDS=$(abspath $(DAMAGE)) $(CACHE_ENV)
FULL_DEMO = ODORI_DEMO=$(abspath $(DEMO))

# In coarse/ the figure has a tenth of its vertices, and pictures are small: most tests of the command line draw that one.
$(DEMO)/film.mp4: $(BUILD)/odori $(COARSE)
	@for dir in $(DEMO)/coarse $(DEMO); do \
	    $(CACHE_ENV) $(BUILD)/odori demo -q --overwrite -o $$dir/film.mp4 --demo-dir $$dir --frames 0-1 --set render.size=[64,36] || exit 1; done
	@$(COARSE) $(DEMO)/coarse/figure.pmx $(DEMO)/coarse/*.png

# A newer program with the same shaders needs no other cache, which only saves time.
$(CACHE)/filled: tests/cli/shaders.sh $(SHADERS) | $(DEMO)/film.mp4
	@install -d -m 700 $(CACHE)/odori
	@$(CLI_ENV) ODORI=$(abspath $(BUILD)/odori) sh tests/cli/shaders.sh
	@touch $@

$(NEAR): $(BUILD)/test/objects/golden/near.o $(LIB)
$(JSON_CHECK): $(BUILD)/test/objects/cli/json_check.o $(LIB)
$(COARSE): $(BUILD)/test/objects/cli/coarse.o $(LIB)
$(NEAR) $(JSON_CHECK) $(COARSE):
	$(call report,LINK,$@)
	$(call link_test)

# The program with another definition of parser_enter, which comes before that of the library.
$(PROBE): $(BUILD)/cli/main.o $(BUILD)/test/objects/parsers/probe.o $(LIB)
	$(call report,LINK,$@)
	$(call link_test)

$(SHIM): tests/faults/shim.c | $(TEST_FLAGS)
	$(call report,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $< -ldl

# The tests that take longest, in any order: they start first, so that all cores have work until the end.
SLOW := $(addprefix %/test_,edits.sh serve.sh effects.sh look.sh parsers.sh batch.sh faults.sh timeouts.sh kill.sh limits.sh memory.sh panorama.sh replace.sh gl.sh shards.sh looks.sh \
    ci.sh convert.sh run.sh preview.sh passes.sh scenes.sh signals.sh stop.sh sandbox.sh films.sh python.sh effect_history.sh checkpoint effect_oracle framing follow_path film_look) %damage:evaluate
slow_first = $(filter $(SLOW),$(1)) $(filter-out $(SLOW),$(1))

test: $(OUT)/odori $(UNIT_PROGRAMS) $(DAMAGE) $(ORACLE) $(CACHE)/filled $(NEAR) $(JSON_CHECK) $(SHIM) $(PROBE) ## install what is missing, build, run all tests (a few minutes; TEST_TIMES=1 lists them)
	@$(CLI_ENV) SHARED=$(SHARED) bash tests/run.sh $(call slow_first,$(CLI_TESTS) $(ORACLE) $(UNIT) $(DAMAGED))

cli-test: $(OUT)/odori $(CACHE)/filled $(NEAR) $(JSON_CHECK) $(SHIM) $(PROBE) $(DAMAGE) ## run only the tests of the command line
	@$(CLI_ENV) bash tests/run.sh $(CLI_TESTS)

# The tests of the command line about interrupted runs: most error branches of checkpoint/ are failing system calls.
COVERED_CLI := $(wildcard $(addprefix tests/cli/test_,calls_*.sh faults.sh status.sh shards.sh conflicts.sh kill.sh))

coverage-run: $(BUILD)/odori $(UNIT_PROGRAMS) $(DAMAGE) $(CACHE)/filled $(NEAR) $(JSON_CHECK) $(SHIM)
	@find $(BUILD) -name '*.gcda' -delete
	-@$(CLI_ENV) ODORI=$(abspath $(BUILD)/odori) SEED=1 bash tests/run.sh $(UNIT) $(DAMAGED) $(COVERED_CLI)
	@CC="$(CC)" sh tests/coverage.sh $(BUILD)

faults: $(OUT)/odori $(CACHE)/filled $(SHIM) ## fail each system call and each allocation once, in each kind of run (minutes)
	@FAULTS=all TEST_LIMIT=7200 TEST_TIMES=1 $(CLI_ENV) bash tests/run.sh $(wildcard tests/cli/test_calls_*.sh tests/faults/*.sh)

soak: $(OUT)/odori $(CACHE)/filled ## kill each kind of job N=100 times and resume it until it is done (minutes)
	@N=$(or $(N),100) TEST_LIMIT=7200 TEST_TIMES=1 $(CLI_ENV) bash tests/run.sh $(wildcard tests/soak/*.sh)

attack: $(OUT)/odori $(CACHE)/filled ## what a service meets: dear inputs, links and pipes in uploads, unusual surroundings; a table of costs (half an hour)
	@for part in small inputs paths surroundings; do echo "== $$part"; $(CLI_ENV) sh tests/attack/$$part.sh || bad=1; done; exit $${bad:-0}

slurm: $(OUT)/odori $(DEMO)/film.mp4 ## render a film in shards on a local Slurm cluster, with lost nodes and stopped jobs (minutes)
	@$(CLI_ENV) SLURM_LOCAL=$(abspath $(SHARED))/tools/slurm-local sh tests/slurm/cluster.sh

# ---- hostile input: tests/fuzz/fuzz_<format>.c under libFuzzer, and over damaged files by damage.c ---
MUTATE_OBJECTS := $(addprefix $(BUILD)/test/objects/fuzz/,mutate.o mutate_layout.o mutate_text.o layout.o grammars.o known_leaks.o)
DAMAGE_OBJECTS := $(addprefix $(BUILD)/test/objects/fuzz/,damage.o corpus.o corpus_scene.o) $(MUTATE_OBJECTS)
FUZZ_SECONDS ?= 30
FUZZ_MAX_LEN ?= 16384
.SECONDARY: $(call test_objects,fuzz)

# One program for all formats: the target of each has the name of its file.
$(BUILD)/test/objects/damage/%.o: RENAME = -DLLVMFuzzerTestOneInput=$*
$(BUILD)/test/objects/damage/%.o: tests/fuzz/%.c | $(TEST_FLAGS)
	$(call report,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(TEST_COMPILE)

$(BUILD)/gen/damage_formats.c: tests/fuzz tests/tests.mk
	@mkdir -p $(@D)
	@printf '%s\n' '#include "damage.h"' $(FORMATS:%='FuzzTarget fuzz_%;') 'const DamageFormat DAMAGE_FORMATS[] = {' \
	    $(foreach f,$(FORMATS),'    {"$(f)", fuzz_$(f)},') '    {0}};' >$@
$(BUILD)/gen/damage_formats.o: ALL_CFLAGS += -Itests/fuzz

$(DAMAGE): $(FORMATS:%=$(BUILD)/test/objects/damage/fuzz_%.o) $(BUILD)/gen/damage_formats.o $(DAMAGE_OBJECTS) $(SUPPORT_LIB) $(LIB)
	$(call report,LINK,$@)
	$(call link_test,$(SUPPORT_LIB))

$(BUILD)/fuzz/fuzz_%: $(BUILD)/test/objects/fuzz/fuzz_%.o $(BUILD)/test/objects/fuzz/mutator.o $(MUTATE_OBJECTS) $(SUPPORT_LIB) $(LIB)
	$(call report,LINK,$@)
	$(call link_test,$(SUPPORT_LIB),-fsanitize=fuzzer)

fuzz: ## run every parser under libFuzzer (clang) for FUZZ_SECONDS=30 each; findings are in out/fuzz
	@$(SETUP) install fuzz
	@$(MAKE) --no-print-directory VARIANT=fuzz CC=clang CXX=clang++ fuzz-run

# libarchive reserves 52 bytes for each file that a 7z header announces, up to 5 GiB that it never touches.
fuzz-run: export ASAN_OPTIONS := allocator_may_return_null=1:max_allocation_size_mb=2048
fuzz-run: $(FUZZERS) $(DAMAGE)
	@for f in $(FORMATS); do \
	    mkdir -p $(OUT)/fuzz/$$f/seeds && $(DAMAGE) $$f --write $(OUT)/fuzz/$$f/seeds && \
	    $(BUILD)/fuzz/fuzz_$$f -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
	        -print_final_stats=1 -artifact_prefix=$(OUT)/fuzz/$$f/ $(OUT)/fuzz/$$f $(OUT)/fuzz/$$f/seeds \
	        >$(OUT)/fuzz/$$f.log 2>&1 || { tail -n 40 $(OUT)/fuzz/$$f.log; exit 1; }; \
	    echo "$$f: $$(sed -n 's/^stat::number_of_executed_units: *//p' $(OUT)/fuzz/$$f.log) inputs, no finding"; done

mutants: ## run N=2000 mutants of each format with sanitizers, by any compiler; the last one is kept in out/fuzz
	@$(MAKE) --no-print-directory VARIANT=asan mutants-run

mutants-run: $(DAMAGE)
	@mkdir -p $(OUT)/fuzz
	@for f in $(FORMATS); do \
	    $(DAMAGE) $$f --mutate $(or $(N),2000) $(OUT)/fuzz/$$f.mutant && echo "$$f: ok" || exit 1; done

cutflip: ## cut and flip every file of DATA=../shared/data in 400 places, with sanitizers (minutes)
	@$(MAKE) --no-print-directory VARIANT=asan cutflip-run

cutflip-run: $(DAMAGE)
	@for f in $(FORMATS); do \
	    case $$f in picture) names='png|bmp|tga|dds|jpg|sph|spa|gif' ;; xfile) names=x ;; gltf_motion) names='vrma|glb' ;; smpl) names=npz ;; midi) names='mid|midi' ;; *) names=$$f ;; esac; \
	    find $(DATA) -regextype posix-extended -iregex ".*\.($$names)" -print0 | sort -z | \
	        xargs -0 -r -n 1 sh -c '"$$0" "$$1" "$$2" && echo "$$2: ok"' $(DAMAGE) $$f || exit 1; done

# ---- comparisons with values worked by hand and with other programs ---------------------------------
pixels: $(BUILD)/test/render $(BUILD)/test/run ## print every checked pixel: the value worked by hand beside the drawn one
	@ODORI_PIXELS=1 $(BUILD)/test/render test_pixels test_render_shading
	@ODORI_PIXELS=1 $(BUILD)/test/run test_film_look

digests: $(OUT)/odori $(HALL) ## compare frames and poses of builds without optimization, and by clang, with those of this one
	@$(MAKE) --no-print-directory VARIANT=debug $(OUT)/build/debug/odori
	@$(MAKE) --no-print-directory VARIANT=clang CC=clang CXX=clang++ CFLAGS='$(CFLAGS_release)' $(OUT)/build/clang/odori
	@HALL=$(HALL) sh tests/digests.sh $(OUT)/odori $(OUT)/build/debug/odori $(OUT)/build/clang/odori

golden: $(OUT)/odori $(DEMO)/film.mp4 ## draw the golden images anew; look at them, and say in the commit what changed and why
	@$(CLI_ENV) $(FULL_DEMO) sh tests/golden/pictures.sh tests/golden

pictures: $(OUT)/odori ## render the pictures of README.md and configs/README.md anew, with ffmpeg
	@sh src/demo/pictures.sh $(OUT)/odori src/demo

ORACLE_OBJECTS := $(filter-out %/oracle.o %/peer_curve.o,$(call test_objects,oracle))

$(BUILD)/test/objects/oracle/oracle-peer.o: tests/oracle/oracle.c | $(TEST_FLAGS)
	$(call report,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -DORACLE_PEER $(TEST_COMPILE)

$(BUILD)/oracle/oracle: $(BUILD)/test/objects/oracle/oracle.o
$(BUILD)/oracle/oracle-peer: $(BUILD)/test/objects/oracle/oracle-peer.o $(BUILD)/test/objects/oracle/peer_curve.o
$(ORACLE): $(ORACLE_OBJECTS) $(SUPPORT_LIB) $(LIB)
	$(call report,LINK,$@)
	$(call link_test,$(SUPPORT_LIB))

oracle: $(ORACLE) ## compare poses, cameras and vertices with other programs' values in SHARED=../shared
	@status=0; for o in $(ORACLE); do $$o $(SHARED) || status=1; done; exit $$status

vowels: $(OUT)/odori $(DEMO)/film.mp4 ## judge lips by syllables of espeak-ng and festival, where installed: tables of confusions
	@python3 tests/oracle/vowels.py $(OUT)/odori $(DEMO)/figure.pmx espeak festival; [ $$? != 1 ]

# ---- benchmarks --------------------------------------------------------------------------------------
BENCH := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))
HALL := $(BUILD)/bench/hall

$(BUILD)/bench/%: $(BUILD)/test/objects/bench/%.o $(SUPPORT_LIB) $(LIB)
	$(call report,LINK,$@)
	$(call link_test,$(SUPPORT_LIB))

hall: $(HALL) ## write the demo in a hall of 300,000 triangles, which the benchmarks draw: out/hall/hall.yaml
	@$(HALL) $(OUT)/hall

bench: $(OUT)/odori $(BENCH) $(HALL) $(DEMO)/film.mp4 ## print speeds as ratios taken in one run; BASE=COMMIT beside another commit, JOBS="a.yaml b.yaml" instead of the demo
	@for b in $(filter-out %/bench_hair %/bench_wear %/bench_flicker %/bench_effects,$(BENCH)); do $$b || exit 1; done
	@$(BUILD)/bench/bench_hair $(DEMO)/figure.pmx $(DEMO)/dance.vmd 300
	@mkdir -p $(OUT)/bench && sed 's|\.\./out/demo|$(abspath $(DEMO))|' configs/cloth-skirt.yaml >$(OUT)/bench/cloth-skirt.yaml
	@$(BUILD)/bench/bench_wear $(OUT)/bench/cloth-skirt.yaml
	@$(CLI_ENV) $(FULL_DEMO) BASE=$(BASE) HALL=$(HALL) sh tests/bench/bench_draw.sh $(OUT)/bench $(JOBS)
	@$(CLI_ENV) $(FULL_DEMO) BASE=$(BASE) BENCH_FLICKER=$(BUILD)/bench/bench_flicker sh tests/bench/bench_flicker.sh $(OUT)/bench
	@$(CLI_ENV) $(FULL_DEMO) BENCH_EFFECTS=$(BUILD)/bench/bench_effects sh tests/bench/bench_effects.sh
	@$(CLI_ENV) $(FULL_DEMO) sh tests/bench/bench_render.sh $(JOBS)
	@$(CLI_ENV) $(FULL_DEMO) sh tests/bench/bench_film.sh $(OUT)/bench $(JOBS)

# ---- quality of the code and of the tests ------------------------------------------------------------
mutate: $(OUT)/odori ## change one token of the source N=60 times (SEED=7) and count how many changes the tests catch
	@python3 tests/mutate.py --count $(or $(N),60) --seed $(or $(SEED),7)

distros: ## build and test in clean roots of releases of Debian and Ubuntu (as root, hours; RELEASES="trixie")
	@sh tests/distros.sh $(RELEASES)

format: ## format the code with clang-format 14
	@git ls-files -zco --exclude-standard '*.c' '*.h' '*.cpp' '*.hpp' | xargs -0 clang-format-14 -i

# Entries of a compilation database: $(call entries,compiler and flags,files)
entries = for file in $(2); do printf '%s\t%s\n' $$file '$(filter-out ccache,$(1))'; done
compdb: | $(TEST_FLAGS) ## write out/compile_commands.json, for clangd (.clangd) and other tools
	@{ $(call entries,$(CC) $(ALL_CFLAGS),$(SRC) src/cli/main.c); $(call entries,$(CXX) $(ALL_CXXFLAGS),$(CXX_SRC)); \
	   $(call entries,$(CC) $(ALL_CFLAGS) $(INCLUDE_TESTS) $(TEST_CFLAGS),$(wildcard tests/*/*.c tests/unit/*/*.c tests/unit/*/*/*.c)); \
	   $(call entries,$(CXX) $(ALL_CXXFLAGS) $(INCLUDE_TESTS) $(TEST_CFLAGS),$(wildcard tests/unit/*/*/*.cpp)); } | \
	 awk -F '\t' -v top='$(CURDIR)' 'BEGIN { print "[" } END { print "\n]" } \
	     { printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s -c %s\"}", (NR > 1 ? ",\n" : ""), top, $$1, $$2, $$1 }' \
	     >$(OUT)/compile_commands.json

# clang-tidy (.clang-tidy), a file at a time, again only after a change; left out if LINT_WITHOUT names it.
TIDY := $(SRC:src/%.c=$(OUT)/build/tidy/%.ok)

$(OUT)/build/tidy/%.ok: src/%.c .clang-tidy
	$(call report,TIDY,$@)
	@mkdir -p $(@D)
	$(Q)$(if $(filter clang-tidy-14,$(LINT_WITHOUT)),: ,)clang-tidy-14 --quiet $< -- $(FIXED) $(PKG_CFLAGS) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

lint-fast: ## check layers, includes, names, citations, links and formatting, without a built program (seconds)
	@sh tests/lint.sh fast

lint: $(OUT)/odori ## the same, then scripts, manual pages, headers alone and static analysis (minutes the first time)
	@$(SETUP) $(SETUP_ACTION) lint
	@ODORI=$(OUT)/odori LINT_CC="$(CC) $(FIXED) $(PKG_CFLAGS)" sh tests/lint.sh
	@$(MAKE) --no-print-directory $(TIDY)
