# Odori: `make demo` and `make test` do everything on a fresh Debian 12; `make help` lists the rest.

CC ?= cc
CXX ?= c++
PREFIX ?= /usr/local
DESTDIR ?=
OUT := out

# ---- what the system must have (one list; CI and `make setup` use it) ------------------------------
PACKAGES := gcc g++ pkg-config libosmesa6-dev libegl-dev libgl-dev libegl-mesa0 libgl1-mesa-dri libpng-dev libavformat-dev \
            libavcodec-dev libavutil-dev libswscale-dev libswresample-dev libcglm-dev libfyaml-dev \
            libutf8proc-dev libwebp-dev libfreetype-dev libzstd-dev nettle-dev libbullet-dev zlib1g-dev libcmocka-dev
LIBS := osmesa egl libpng libavformat libavcodec libavutil libswscale libswresample cglm libfyaml libutf8proc libwebp libwebpmux libwebpdemux freetype2 libzstd nettle bullet zlib
TEST_LIBS := cmocka
# Built in where pkg-config finds them (after `make clean`, if they come later), as HAVE_<NAME>.
OPTIONAL := fluidsynth

# ---- variants: release (default), debug, asan, fuzz ------------------------------------------------
V ?= release
BUILD := $(OUT)/build/$(V)

WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef \
        -Wwrite-strings -Wcast-qual -Wformat=2 -Wdouble-promotion
CFLAGS_release := -O2 -g -DNDEBUG
CFLAGS_debug := -O0 -g3
CFLAGS_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
CFLAGS_fuzz := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
LDFLAGS_asan := -fsanitize=address,undefined
LDFLAGS_fuzz := -fsanitize=address,undefined
CFLAGS ?= $(CFLAGS_$(V))
CXXFLAGS ?= $(CFLAGS)
# Pixels must not depend on how the compiler contracts or reorders (craft: determinism).
FLOATS := -ffp-contract=off -fno-fast-math
FIXED := -std=c17 -D_GNU_SOURCE -DCGLM_ALL_UNALIGNED $(FLOATS) -Isrc -I$(BUILD)/gen
# What knows Bullet: no exceptions, no RTTI.  The warnings are those of C that C++ knows.
CXX_FIXED := -std=c++17 -D_GNU_SOURCE -fno-exceptions -fno-rtti $(FLOATS) -Isrc

# What pkg-config says, asked once, after set-up.  OSMesa and EGL are opened at run time, not linked.
FLAGS := $(OUT)/build/flags.mk
ifneq ($(filter-out clean help,$(or $(MAKECMDGOALS),all)),)
-include $(FLAGS)
endif
ALL_CFLAGS = $(FIXED) $(WARN) $(PKG_CFLAGS) $(CFLAGS) $(WERROR)
ALL_CXXFLAGS = $(CXX_FIXED) $(filter-out -Wstrict-prototypes -Wmissing-prototypes,$(WARN)) $(PKG_CXXFLAGS) $(CXXFLAGS) $(WERROR)

SRC := $(filter-out src/cli/main.c,$(wildcard src/*/*.c src/*/*/*.c))
CXX_SRC := $(wildcard src/evaluate/*.cpp)
OBJ := $(SRC:src/%.c=$(BUILD)/%.o) $(CXX_SRC:src/%.cpp=$(BUILD)/%.o) $(BUILD)/gen/shader_sources.o
SHADERS := $(sort $(wildcard shaders/*.glsl shaders/*.vert shaders/*.frag))

.DEFAULT_GOAL := all
.PHONY: all setup demo test unit asan fuzz fuzz-run cutflip cutflip-run cli-test oracle pixels faults soak slurm bench golden readme lint install clean help debug
.DELETE_ON_ERROR:

all: $(OUT)/odori ## build out/odori

demo: $(OUT)/odori ## build, and render the built-in demo to out/demo.mp4
	$(OUT)/odori demo -o $(OUT)/demo.mp4

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

clean: ## remove what was built (out/build, out/odori)
	rm -rf $(OUT)/build $(OUT)/odori

$(OUT)/odori: $(BUILD)/odori
	@cp -f $< $@.tmp && mv -f $@.tmp $@

$(BUILD)/odori: $(BUILD)/cli/main.o $(BUILD)/libodori.a
	$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(V)) -o $@ $^ $(PKG_LIBS)

$(BUILD)/libodori.a: $(OBJ)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: src/%.c | $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: src/%.cpp | $(STAMP)
	@mkdir -p $(@D)
	$(CXX) $(ALL_CXXFLAGS) -MMD -MP -c -o $@ $<

# The shaders become strings in the program.
$(BUILD)/gen/shader_sources.c: $(SHADERS) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "render/shader.h"'; echo 'const ShaderSource SHADER_SOURCES[] = {'; \
	   for f in $(SHADERS); do echo "    {\"$${f##*/}\","; \
	       sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' $$f; echo '    },'; done; echo '};'; \
	   echo 'const size_t SHADER_SOURCE_COUNT = sizeof SHADER_SOURCES / sizeof *SHADER_SOURCES;'; } > $@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJ:.o=.d) $(BUILD)/cli/main.d

# ---- unit tests: tests/unit/<folder>/test_<name>.c, each a cmocka program -----------------------------------
SUPPORT := $(wildcard tests/support/*.c)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/*/*.c))

$(BUILD)/support/%.o: tests/support/%.c | $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/support $(TEST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libsupport.a: $(SUPPORT:tests/support/%.c=$(BUILD)/support/%.o)
	@rm -f $@
	ar rcs $@ $^

-include $(wildcard $(BUILD)/support/*.d)

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libsupport.a $(BUILD)/libodori.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/support $(TEST_CFLAGS) -MMD -MP -MF $@.d -o $@ $< \
	    $(BUILD)/libsupport.a $(BUILD)/libodori.a $(LDFLAGS_$(V)) $(PKG_LIBS) $(TEST_LINK)

-include $(UNIT:=.d)

# ---- hostile input: tests/fuzz/fuzz_<format>.c, run by libFuzzer, and over damaged files by damage.c -
FORMATS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZERS := $(FORMATS:%=$(BUILD)/fuzz/fuzz_%)
DAMAGE := $(FORMATS:%=$(BUILD)/fuzz/damage_%)
FUZZ_SECONDS ?= 30
DATA ?= ../shared/data

DAMAGE_OBJ := $(BUILD)/fuzz/damage.o $(BUILD)/fuzz/corpus.o

$(BUILD)/fuzz/%.o: tests/fuzz/%.c | $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/support -MMD -MP -c -o $@ $<

-include $(wildcard $(BUILD)/fuzz/*.d)
.SECONDARY: $(DAMAGE_OBJ) $(FORMATS:%=$(BUILD)/fuzz/fuzz_%.o)

$(BUILD)/fuzz/damage_%: $(BUILD)/fuzz/fuzz_%.o $(DAMAGE_OBJ) $(BUILD)/libsupport.a $(BUILD)/libodori.a
	$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(V)) -o $@ $^ $(PKG_LIBS)

$(BUILD)/fuzz/fuzz_%: $(BUILD)/fuzz/fuzz_%.o $(BUILD)/libodori.a
	$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(V)) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS)

fuzz: ## every parser under libFuzzer (clang) for FUZZ_SECONDS=30 each; finds lie in out/fuzz
	@$(MAKE) --no-print-directory V=fuzz CC=clang CXX=clang++ fuzz-run

fuzz-run: $(FUZZERS) $(DAMAGE)
	@for f in $(FORMATS); do \
	    mkdir -p $(OUT)/fuzz/$$f/seeds && $(BUILD)/fuzz/damage_$$f --write $(OUT)/fuzz/$$f/seeds && \
	    $(BUILD)/fuzz/fuzz_$$f -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
	        -print_final_stats=1 -artifact_prefix=$(OUT)/fuzz/$$f/ $(OUT)/fuzz/$$f $(OUT)/fuzz/$$f/seeds \
	        >$(OUT)/fuzz/$$f.log 2>&1 || { tail -n 40 $(OUT)/fuzz/$$f.log; exit 1; }; \
	    echo "$$f: $$(sed -n 's/^stat::number_of_executed_units: *//p' $(OUT)/fuzz/$$f.log) inputs, no find"; done

cutflip: ## every file of DATA=../shared/data cut and flipped in 400 places, under sanitizers (minutes)
	@$(MAKE) --no-print-directory V=asan cutflip-run

cutflip-run: $(DAMAGE)
	@for f in $(FORMATS); do \
	    case $$f in picture) names='png|bmp|tga|dds|jpg|sph|spa|gif' ;; xfile) names=x ;; midi) names='mid|midi' ;; *) names=$$f ;; esac; \
	    find $(DATA) -regextype posix-extended -iregex ".*\.($$names)" -print0 | sort -z | \
	        xargs -0 -r -n 1 sh -c '"$$0" "$$1" && echo "$$1: ok"' $(BUILD)/fuzz/damage_$$f || exit 1; done

# ---- faults: the program in a world that fails -----------------------------------------------------
SHIM := $(BUILD)/faults/shim.so

$(SHIM): tests/faults/shim.c | $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $< -ldl

CLI_TESTS := $(wildcard tests/cli/test_*.sh)

unit: $(UNIT) $(DAMAGE) ## build and run the unit tests of this variant (V=asan for sanitizers)
	@LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 bash tests/run.sh $(UNIT) $(DAMAGE)

test: $(OUT)/odori $(UNIT) $(DAMAGE) $(BUILD)/demo/film.mp4 $(BUILD)/golden/near $(SHIM) ## install what is missing, build, run all tests (under a minute on two cores; TEST_TIMES=1 lists them)
	@$(CLI_ENV) bash tests/run.sh $(CLI_TESTS) $(UNIT) $(DAMAGE)

# The tests of the command line share the demo's assets; two small frames are drawn of it.
DEMO := $(BUILD)/demo
NEAR := $(BUILD)/golden/near
CLI_ENV = ODORI=$(abspath $(OUT)/odori) ODORI_DEMO=$(abspath $(DEMO)) NEAR=$(abspath $(NEAR)) SHIM=$(abspath $(SHIM))

$(NEAR): tests/golden/near.c $(BUILD)/libodori.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $< $(BUILD)/libodori.a $(LDFLAGS_$(V)) $(PKG_LIBS)

golden: $(OUT)/odori $(DEMO)/film.mp4 ## draw the golden pictures anew; look at them, and say in the commit what moved and why
	@$(CLI_ENV) sh tests/golden/pictures.sh tests/golden

$(DEMO)/film.mp4: $(BUILD)/odori
	@$(BUILD)/odori demo -q -o $@ --assets $(DEMO) --frames 0-1 --set render.size=[64,36]

cli-test: $(OUT)/odori $(DEMO)/film.mp4 $(NEAR) $(SHIM) ## only the tests of the command line
	@$(CLI_ENV) bash tests/run.sh $(CLI_TESTS)

faults: $(OUT)/odori $(DEMO)/film.mp4 $(SHIM) ## every call on a file fails once, in each kind of run (minutes)
	@FAULTS=all TEST_LIMIT=3600 TEST_TIMES=1 $(CLI_ENV) bash tests/run.sh $(wildcard tests/cli/test_calls_*.sh tests/faults/*.sh)

soak: $(OUT)/odori $(DEMO)/film.mp4 ## N=100 kills of each kind of job, each going on until it is done (minutes)
	@N=$(or $(N),100) TEST_LIMIT=7200 TEST_TIMES=1 $(CLI_ENV) bash tests/run.sh $(wildcard tests/soak/*.sh)

PIXELS := $(addprefix $(BUILD)/tests/,render/test_pixels render/test_render_shading pipeline/test_film_look)

pixels: $(PIXELS) ## every pixel that is checked: the colour worked out by hand beside the one drawn
	@for t in $(PIXELS); do ODORI_PIXELS=1 $$t || exit 1; done

asan: ## the unit tests under address and undefined sanitizers
	@$(MAKE) --no-print-directory V=asan unit

# ---- our numbers beside those of other programs (SHARED holds theirs) -------------------------------
SHARED ?= ../shared
ORACLE_OBJ := $(patsubst tests/oracle/%.c,$(BUILD)/oracle/%.o,$(filter-out %/oracle.c %/peer_curve.c,$(wildcard tests/oracle/*.c)))
ORACLE_LIBS := $(BUILD)/libsupport.a $(BUILD)/libodori.a

$(BUILD)/oracle/%.o: tests/oracle/%.c | $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/support -Itests/oracle -MMD -MP -c -o $@ $<

$(BUILD)/oracle/peer.o: tests/oracle/oracle.c | $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -DORACLE_PEER -Itests/support -Itests/oracle -MMD -MP -c -o $@ $<

$(BUILD)/oracle/oracle: $(BUILD)/oracle/oracle.o $(ORACLE_OBJ) $(ORACLE_LIBS)
	$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(V)) -o $@ $^ $(PKG_LIBS) -lz

$(BUILD)/oracle/oracle-peer: $(BUILD)/oracle/peer.o $(BUILD)/oracle/peer_curve.o $(ORACLE_OBJ) $(ORACLE_LIBS)
	$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(V)) -o $@ $^ $(PKG_LIBS) -lz

-include $(wildcard $(BUILD)/oracle/*.d)

oracle: $(BUILD)/oracle/oracle $(BUILD)/oracle/oracle-peer ## poses, cameras, vertices against other programs, from SHARED=../shared
	@$(BUILD)/oracle/oracle $(SHARED); first=$$?; $(BUILD)/oracle/oracle-peer $(SHARED) && exit $$first

# Not a part of `make test`: two or three minutes, half of them Slurm's own.
slurm: $(OUT)/odori $(DEMO)/film.mp4 ## a film in shards on a Slurm of four nodes, with nodes lost and jobs stopped (SHARED has the tool)
	@$(CLI_ENV) SLURM_LOCAL=$(abspath $(SHARED))/tools/slurm-local sh tests/slurm/cluster.sh

BENCH := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))

$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libodori.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(BUILD)/libodori.a $(LDFLAGS_$(V)) $(PKG_LIBS)

bench: $(OUT)/odori $(BENCH) $(DEMO)/film.mp4 ## speeds side by side in one run; JOBS="a.yaml b.yaml" instead of the demo
	@for b in $(BENCH); do $$b || exit 1; done
	@$(CLI_ENV) sh tests/bench/bench_render.sh $(JOBS)

readme: $(OUT)/odori ## lay the table of keys into README.md
	@ODORI=$(OUT)/odori sh tests/readme.sh

lint: $(OUT)/odori ## layers, headers alone, lengths, shell scripts, README's table
	@ODORI=$(OUT)/odori sh tests/readme.sh --check
	@LINT_CC="$(CC) $(FIXED) $(PKG_CFLAGS)" sh tests/lint.sh

install: $(OUT)/odori ## to DESTDIR PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(OUT)/odori $(DESTDIR)$(PREFIX)/bin/odori
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	$(OUT)/odori help --man > $(DESTDIR)$(PREFIX)/share/man/man1/odori.1

# ---- set-up: what is missing is installed once (as root or by sudo), else the command is shown -----
STAMP := $(OUT)/build/setup.stamp

setup: $(STAMP)

$(STAMP): Makefile
	@mkdir -p $(@D)
	@missing=; for p in $(PACKAGES); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ] && command -v apt-get >/dev/null; then \
	    if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else \
	        echo "odori needs packages that are not installed.  Run this, then make again:"; \
	        echo "  sudo apt-get install$$missing"; exit 1; fi; \
	    echo "installing:$$missing"; \
	    $$as env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -qq && \
	        apt-get install -y -qq --no-install-recommends$$missing >/dev/null" || exit 1; \
	elif [ -n "$$missing" ]; then \
	    for l in $(LIBS) $(TEST_LIBS); do pkg-config --exists $$l || { \
	        echo "odori needs the development files of $$l (pkg-config does not find it)"; exit 1; }; done; \
	fi
	@touch $@

$(FLAGS): $(STAMP)
	@with=; have=; for l in $(OPTIONAL); do if pkg-config --exists $$l; then \
	    with="$$with $$l"; have="$$have -DHAVE_$$(echo $$l | tr a-z A-Z)"; fi; done; \
	 { echo "PKG_CFLAGS :=$$have $$(pkg-config --cflags $(LIBS) $$with | sed 's/-I/-isystem /g')"; \
	   echo "PKG_CXXFLAGS := $$(pkg-config --cflags bullet | sed 's/-I/-isystem /g')"; \
	   echo "PKG_LIBS := $$(pkg-config --libs $(filter-out osmesa egl,$(LIBS)) $$with) -lstdc++ -lm -ldl -lpthread"; \
	   echo "TEST_CFLAGS := $$(pkg-config --cflags $(TEST_LIBS))"; \
	   echo "TEST_LINK := $$(pkg-config --libs $(TEST_LIBS))"; } > $@.tmp && mv $@.tmp $@
