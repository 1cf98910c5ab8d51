# Odori: `make demo` and `make test` do everything on a fresh Debian 12; `make help` lists the rest.

CC ?= cc
CXX ?= c++
PREFIX ?= /usr/local
DESTDIR ?=
OUT := out

# ---- what the system must have (one list; CI and `make setup` use it) ------------------------------
PACKAGES := gcc g++ pkg-config libosmesa6-dev libegl-dev libgl-dev libegl-mesa0 libgl1-mesa-dri libpng-dev libavformat-dev \
            libavcodec-dev libavutil-dev libswscale-dev libswresample-dev libcglm-dev libfyaml-dev \
            libutf8proc-dev libzstd-dev libcmocka-dev
LIBS := osmesa egl libpng libavformat libavcodec libavutil libswscale libswresample cglm libfyaml libutf8proc libzstd
TEST_LIBS := cmocka

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
# Pixels must not depend on how the compiler contracts or reorders (craft: determinism).
FIXED := -std=c17 -D_GNU_SOURCE -DCGLM_ALL_UNALIGNED -ffp-contract=off -fno-fast-math -Isrc -I$(BUILD)/gen

-include $(OUT)/build/setup.mk
PKG = $(shell pkg-config --cflags $(1) 2>/dev/null | sed 's/-I/-isystem /g')
PKG_CFLAGS = $(call PKG,$(LIBS))
PKG_LIBS = $(shell pkg-config --libs $(LIBS) 2>/dev/null) -lm -ldl -lpthread
ALL_CFLAGS = $(FIXED) $(WARN) $(PKG_CFLAGS) $(CFLAGS) $(WERROR)

SRC := $(filter-out src/cli/main.c,$(wildcard src/*/*.c))
OBJ := $(SRC:src/%.c=$(BUILD)/%.o)
SHADERS := $(sort $(wildcard shaders/*.glsl shaders/*.vert shaders/*.frag))

.DEFAULT_GOAL := all
.PHONY: all setup demo test unit asan fuzz clean help debug
.DELETE_ON_ERROR:

all: setup $(OUT)/odori ## build out/odori

$(OUT)/odori: $(BUILD)/odori
	@cp -f $< $@.tmp && mv -f $@.tmp $@

$(BUILD)/odori: $(BUILD)/cli/main.o $(BUILD)/libodori.a
	$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_$(V)) -o $@ $^ $(PKG_LIBS)

$(BUILD)/libodori.a: $(OBJ)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJ:.o=.d) $(BUILD)/cli/main.d

# ---- unit tests: tests/unit/test_<name>.c, each a cmocka program -----------------------------------
SUPPORT := $(wildcard tests/support/*.c)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/*.c))

$(BUILD)/tests/%: tests/unit/%.c $(SUPPORT) $(BUILD)/libodori.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/support $(shell pkg-config --cflags $(TEST_LIBS)) -MMD -MP -MF $@.d -o $@ $< $(SUPPORT) \
	    $(BUILD)/libodori.a $(LDFLAGS_$(V)) $(PKG_LIBS) $(shell pkg-config --libs $(TEST_LIBS))

-include $(wildcard $(BUILD)/tests/*.d)

unit: $(UNIT) ## build and run the unit tests of this variant (V=asan for sanitizers)
	@for t in $(UNIT); do $$t || exit 1; done

setup:
	@true
