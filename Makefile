# SPDX-License-Identifier: MIT
# Odori: `make demo` and `make test` install what is missing and do everything; `make help` lists the targets.
# Test tools are in tests/tests.mk; packages in configs/packaging/setup.sh.

# All cores, unless -j says otherwise.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))$(findstring j,$(firstword -$(MAKEFLAGS))),0)
MAKEFLAGS += -j$(shell nproc)
endif
CC ?= cc
CXX ?= c++
PKG_CONFIG ?= pkg-config
PREFIX ?= /usr/local
DESTDIR ?=
OUT := out

# ---- variants: release (default), debug, asan, fuzz, coverage; they share no objects ----------------
VARIANT ?= release
BUILD := $(OUT)/build/$(VARIANT)

SANITIZE := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer -DARENA_REDZONES
# LeakSanitizer traces its own process, and gcov writes files at exit (src/sandbox/sandbox.h).
NO_SANDBOX := -DODORI_NO_SANDBOX
CFLAGS_release := -O2 -g1 -DNDEBUG
CFLAGS_debug := -O0 -g3
CFLAGS_asan := -O1 -g $(SANITIZE) $(NO_SANDBOX)
CFLAGS_fuzz := -O1 -g -fsanitize=fuzzer-no-link $(SANITIZE) $(NO_SANDBOX)
CFLAGS_coverage := -O0 -g --coverage -DNDEBUG $(NO_SANDBOX)
LDFLAGS_asan := $(SANITIZE)
LDFLAGS_fuzz := $(SANITIZE)
LDFLAGS_coverage := --coverage
CFLAGS ?= $(CFLAGS_$(VARIANT))
CXXFLAGS ?= $(CFLAGS)
# Hardening: what the compiler knows of these flags, asked once; not with sanitizers.  CFLAGS and LDFLAGS override it.
# The C library takes FORTIFY 3 for 2 where the compiler does not know 3, and for none with -O0.
HARDENED := $(filter release debug,$(VARIANT))
HARDENING := -fPIE -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard
HARDEN = $(eval HARDEN := $(if $(HARDENED),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 $(shell \
    for f in $(HARDENING); do ! $(CC) -Werror $(CFLAGS) $$f -x c -c -o /dev/null /dev/null 2>/dev/null || echo $$f; done)))$(HARDEN)
RELRO := -Wl,-z,relro,-z,now,-z,noexecstack
HARDEN_LD := $(if $(HARDENED),$(if $(SHARED_LIB),,-pie) $(RELRO))
# Integer constants are enumerators; clang 19 warns where one meets a floating-point number.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef \
        -Wwrite-strings -Wcast-qual -Wformat=2 -Wdouble-promotion -Wno-enum-float-conversion
# Pixels must not depend on how the compiler contracts or reorders floating-point operations.
FLOATS := -ffp-contract=off -fno-fast-math
FIXED := -std=c17 -D_GNU_SOURCE -DCGLM_ALL_UNALIGNED $(FLOATS) -Isrc -I$(BUILD)/gen
# The files that use Bullet: no exceptions, no RTTI.
CXX_FIXED := -std=c++17 -D_GNU_SOURCE -fno-exceptions -fno-rtti $(FLOATS) -Isrc

# ---- flags of the libraries, from pkg-config, after the packages were checked (OSMesa, EGL and libav are opened at run time) ----
LIBS := libpng cglm libfyaml libutf8proc libwebp libwebpmux libwebpdemux freetype2 libzstd nettle bullet zlib
LIBAV := libavformat libavcodec libavutil libswscale libswresample # not linked, but opened at first use (src/media/libav.h)
OPTIONAL := fluidsynth libarchive harfbuzz fontconfig libass OpenEXR draco # used where pkg-config finds them, as HAVE_<NAME>; meshoptimizer has no file for it
FLAGS := $(OUT)/build/flags.mk
SETUP := sh configs/packaging/setup.sh
# These goals install what is missing; all others report it and stop.
INSTALLING := demo test lint setup oracle vowels slurm faults soak attack bench
SETUP_ACTION := $(if $(filter $(INSTALLING),$(MAKECMDGOALS)),install,check)
ASK := $(if $(MAKE_RESTARTS),,$(patsubst install,ask,$(filter install,$(SETUP_ACTION)))) # they ask each time, once
ifneq ($(filter-out clean help uninstall dist deb image format lint-fast,$(or $(MAKECMDGOALS),all)),)
include $(FLAGS)
endif
ALL_CFLAGS = $(FIXED) $(WARN) $(PKG_CFLAGS) $(HARDEN) $(CFLAGS) $(WERROR)
ALL_CXXFLAGS = $(CXX_FIXED) $(filter-out -Wstrict-prototypes -Wmissing-prototypes,$(WARN)) $(PKG_CXXFLAGS) $(HARDEN) $(CXXFLAGS) $(WERROR)
ALL_LDFLAGS = $(HARDEN_LD) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(VARIANT))
# SHARED_LIB=1 links everything to one shared library, so that a changed source needs one link (tests/mutate.py).
LIB := $(BUILD)/libodori.a
ifeq ($(SHARED_LIB),1)
LIB := $(BUILD)/libodori.so
CFLAGS += -fPIC
LDFLAGS += -Wl,-rpath,$(abspath $(BUILD))
endif

# ---- one line a command; V=1 shows the commands -----------------------------------------------------
V ?= 0
ifeq ($(V),0)
Q := @
report = @printf '  %-8s %s\n' '$(1)' '$(patsubst $(OUT)/build/%,%,$(2))'
else
report = @:
endif

SRC := $(filter-out src/cli/main.c,$(wildcard src/*/*.c src/*/*/*.c))
CXX_SRC := $(wildcard src/evaluate/physics/*.cpp src/format/gltf/*.cpp)
OBJ := $(SRC:src/%.c=$(BUILD)/%.o) $(CXX_SRC:src/%.cpp=$(BUILD)/%.o) $(BUILD)/gen/embedded_texts.o
SHADERS := $(sort $(wildcard shaders/*.glsl shaders/*.vert shaders/*.frag))
TEXTS := $(sort $(wildcard src/*/text/* src/*/*/text/*))

.DELETE_ON_ERROR:
.PHONY: ask all setup demo install uninstall dist bundle sbom deb image clean help debug

all: $(OUT)/odori ## build out/odori

demo: $(OUT)/odori ## install what is missing, build, render the built-in demo to out/demo.mp4
	$(OUT)/odori demo -o $(OUT)/demo.mp4 $(DEMO_FLAGS)

setup: ## install the packages that building and testing need (as root or by sudo)
	@$(SETUP) install build test

debug: ## build out/build/debug/odori with assertions, without optimisation
	@$(MAKE) --no-print-directory VARIANT=debug $(OUT)/build/debug/odori

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile tests/tests.mk | expand -t 24

clean: ## remove what was built
	rm -rf $(OUT)/build $(OUT)/odori

$(OUT)/odori: $(BUILD)/odori
	@cp -f $< $@.tmp && mv -f $@.tmp $@

$(BUILD)/odori: $(BUILD)/cli/main.o $(LIB)
	$(call report,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(BUILD)/libodori.a: $(OBJ)
	$(call report,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# `odori version` prints the revision of this tree, not of a repository around it, or that of `make dist`; version.o follows the stamp of this name.
REVISION := $(or $(shell if test -e .git; then git rev-parse --short=12 HEAD; else cat .revision; fi 2>/dev/null),unknown)
$(BUILD)/gen/revision/$(REVISION):
	@mkdir -p $(@D) && rm -f $(@D)/* && touch $@
$(BUILD)/run/version.o: $(BUILD)/gen/revision/$(REVISION)
$(BUILD)/run/version.o: ALL_CFLAGS += -DODORI_REVISION='"$(REVISION)"' -DODORI_BUILD='"$(strip $(VARIANT) $(patsubst -DHAVE_%,+%,$(filter -DHAVE_%,$(PKG_CFLAGS))))"' \
    -DODORI_BULLET='"$(shell $(PKG_CONFIG) --modversion bullet)"'

$(BUILD)/libodori.so: $(OBJ)
	$(call report,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^ $(PKG_LIBS)

$(BUILD)/%.o: src/%.c $(PKG_STAMP)
	$(call report,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: src/%.cpp $(PKG_STAMP)
	$(call report,CXX,$@)
	$(Q)mkdir -p $(@D) && $(CXX) $(ALL_CXXFLAGS) -MMD -MP -c -o $@ $<

# Shaders, help texts, manual pages and the page of a report become strings in the program: tables of names and texts.
table = echo 'const EmbeddedText $(1)[] = {'; for f in $(2); do echo "    {\"$${f\#\#*/}\","; \
        sed 's/[\\"]/\\&/g; s/.*/     "&\\n"/' $$f; echo '    },'; done; echo '    {0}};';
$(BUILD)/gen/embedded_texts.c: $(SHADERS) $(TEXTS) Makefile
	$(call report,GEN,$@)
	@mkdir -p $(@D)
	@{ echo '#include "base/embedded_text.h"'; $(call table,embedded_shaders,$(SHADERS)) $(call table,embedded_texts,$(TEXTS)) } > $@

$(BUILD)/gen/libav_names.h: src/media/libav.inc # libav's own names for functions of libraries that are opened at run time
	@mkdir -p $(@D) && sed -n 's/^FUNCTION(\(.*\))$$/#define \1 libav()->\1/p' $< >$@

$(BUILD)/evaluate/cloth/%.o: ALL_CFLAGS += -fno-math-errno # square roots of several springs at once; the same values
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(call report,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJ:.o=.d) $(BUILD)/cli/main.d

$(FLAGS): configs/packaging/setup.sh Makefile $(ASK) | $(BUILD)/gen/libav_names.h
	@mkdir -p $(@D)
	@$(SETUP) $(SETUP_ACTION) build
	@with=; have=; for l in $(OPTIONAL); do if $(PKG_CONFIG) --exists $$l; then \
	    with="$$with $$l"; have="$$have -DHAVE_$$(echo $$l | tr a-z A-Z)"; fi; done; more=; \
	 ! echo '#include <meshoptimizer.h>' | $(CC) -E -x c - >/dev/null 2>&1 || { more=-lmeshoptimizer; have="$$have -DHAVE_MESHOPTIMIZER"; }; cflags=$$($(PKG_CONFIG) --cflags $(LIBS) $(LIBAV) $$with | sed 's/-I/-isystem /g') && \
	 bullet=$$($(PKG_CONFIG) --cflags bullet $$(echo " $$with " | grep -o ' draco ') | sed 's/-I/-isystem /g') && libs=$$($(PKG_CONFIG) --libs $(LIBS) $$with) && \
	 printf '%s\n' "PKG_CFLAGS :=$$have $$cflags" "PKG_CXXFLAGS := $$have $$bullet" \
	     "PKG_LIBS := $$libs $$more -lstdc++ -lm -ldl -lpthread" \
	     "PKG_STAMP := $(OUT)/build/flags-$$(echo "$$have $$cflags $$bullet $$libs" | cksum | cut -d' ' -f1)" > $@.tmp && mv $@.tmp $@
$(PKG_STAMP): ; @rm -f $(@D)/flags-* && touch $@ # objects are compiled again when these flags have changed

# ---- installation -----------------------------------------------------------------------------------
BINDIR = $(DESTDIR)$(PREFIX)/bin
SHAREDIR = $(DESTDIR)$(PREFIX)/share
EXAMPLES := $(wildcard configs/*.yaml configs/*.md configs/ci/*)
# What the program itself writes: file below SHAREDIR, and the arguments that print it, with '+' for a space.
GENERATED := man/man1/odori.1=help+--man man/man5/odori-job.5=help+--man+job man/man5/odori-batch.5=help+--man+batch \
             man/man5/odori-limits.5=help+--man+limits odori/odori-limits.schema.json=schema+limits \
             odori/odori.schema.json=schema odori/odori-batch.schema.json=schema+batch \
             bash-completion/completions/odori=completion+bash zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)/_odori=completion+zsh \
             fish/vendor_completions.d/odori.fish=completion+fish
SHARE_FILES := metainfo/org.odori.odori.metainfo.xml mime/packages/odori.xml thumbnailers/odori.thumbnailer

install: $(OUT)/odori ## install program, manual pages, completion, schemas and examples to DESTDIR PREFIX=/usr/local
	install -D -m 755 $(OUT)/odori $(BINDIR)/odori
	@for g in $(GENERATED); do file=$(SHAREDIR)/$${g%%=*}; install -d "$${file%/*}" && \
	    $(OUT)/odori $$(echo "$${g#*=}" | tr + ' ') >"$$file.tmp" && mv "$$file.tmp" "$$file" && echo "install $$file" || exit 1; done
	@for f in $(SHARE_FILES); do install -D -m 644 configs/packaging/share/$$f $(SHAREDIR)/$$f || exit 1; done
	install -D -m 644 -t $(SHAREDIR)/doc/odori README.md LICENSE
	install -D -m 644 -t $(SHAREDIR)/doc/odori/examples $(EXAMPLES)

uninstall: ## remove what `make install` installed
	rm -rf $(BINDIR)/odori $(SHAREDIR)/doc/odori $(SHAREDIR)/odori $(SHARE_FILES:%=$(SHAREDIR)/%) $(foreach g,$(GENERATED),$(SHAREDIR)/$(firstword $(subst =, ,$(g))))

dist: ## make the source archive of the committed tree: out/dist; equal bytes for equal commits
bundle: $(OUT)/odori ## make an archive of the program and its libraries that runs where it is unpacked: out/bundle
sbom: $(OUT)/odori ## list the libraries that the program loads, and their packages: out/odori.cdx.json
deb: ## build a Debian package of this tree under out/deb
image: ## build a container image from the package (as root): out/image.tar
dist bundle sbom deb image:
	@sh configs/packaging/$@.sh
include tests/tests.mk
