# SPDX-License-Identifier: MIT
"""Judges lips by the vowels that synthesizers were told to speak; prints a table of confusions.

    vowels.py ODORI MODEL.pmx [espeak|festival|few]...

espeak: 42 voices and pitches of espeak-ng in Japanese; few: three of them; festival: diphones that
seven people spoke in Italian, Czech and Finnish, at pitches of speech and song.  A syllable counts
as the vowel whose morph has the largest mean in its middle, as closed if the mouth hardly opens.
The exit status is 1 if fewer than 80 % of the syllables of a set are right, 2 without a synthesizer.
"""
import array
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import wave

MORPHS = {"あ": "a", "い": "i", "う": "u", "え": "e", "お": "o", "ん": "n"}
VOWELS = "aiueon"
KANA = {"": "あいうえお", "k": "かきくけこ", "s": "さしすせそ", "t": "たちつてと", "n": "なにぬねの",
        "h": "はひふへほ", "m": "まみむめも", "y": "や ゆ よ", "r": "らりるれろ", "w": "わ   を",
        "g": "がぎぐげご", "z": "ざじずぜぞ", "d": "だ  でど", "b": "ばびぶべぼ", "p": "ぱぴぷぺぽ"}
GAP_S = 0.12
FESTIVAL = [("lp_diphone", (180, 262, 392)), ("pc_diphone", (110, 165, 262, 392)),
            ("czech_dita", (180, 262, 392)), ("czech_krb", (200, 262, 392)),
            ("czech_machac", (110, 165, 262, 392)), ("suo_fi_lj_diphone", (180, 262, 392)),
            ("hy_fi_mv_diphone", (110, 165, 262, 392))]


def trimmed(path):
    """The rate, and the samples from the first to the last that is louder than 2 % of the peak."""
    with wave.open(path) as file:
        rate, samples = file.getframerate(), array.array("h", file.readframes(file.getnframes()))
    peak = max(map(abs, samples), default=0)
    loud = [i for i, value in enumerate(samples) if abs(value) > 0.02 * peak]
    return rate, samples[loud[0]:loud[-1] + 1] if loud else array.array("h")


def speak(voice, pitch):
    """A file of all syllables, and when each one is heard: [(start_s, end_s, vowel)]."""
    out, labels, rate = array.array("h", bytes(2 * 4410)), [], 22050
    rows = [(kana, vowel) for row in KANA.values() for kana, vowel in zip(row, VOWELS) if kana != " "]
    for kana, vowel in rows + [("ん", "n")] * 8:
        subprocess.run(["espeak-ng", "-v", voice, "-p", str(pitch), "-s", "140", "-w", "one.wav", kana],
                       check=True, stderr=subprocess.DEVNULL)
        rate, samples = trimmed("one.wav")
        labels.append((len(out) / rate, (len(out) + len(samples)) / rate, vowel))
        out += samples + array.array("h", bytes(2 * int(rate * GAP_S)))
    with wave.open("voice.wav", "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(out.tobytes())
    return labels


def sing(voice, pitch):
    segments, labels, at, step = ["(# 0.2)"], [], 0.2, 0

    def add(phone, length_s, hertz, vowel=None):
        nonlocal at
        target = f"(0 {hertz}) ({length_s / 2} {hertz * 1.01})" if hertz else ""
        segments.append(f"({phone} {length_s} {target})")
        if vowel:
            labels.append((at, at + length_s, vowel))
        at += length_s

    for consonant in ["", "k", "s", "t", "n", "m", "r", "b", "d", "p"]:
        for vowel in "aiueo":
            hertz = pitch * 2 ** ((step * 5 % 7 - 3) / 12)  # a few half-tones up and down
            step += 1
            if consonant:
                add(consonant, 0.08, hertz)
            add(vowel, 0.22, hertz, vowel)
            add("#", GAP_S, 0)
    for vowel in "aiueo":
        add(vowel, 0.2, pitch)
        add("m" if vowel == "a" else "n", 0.22, pitch, "n")
        add("#", GAP_S, 0)
    with open("voice.scm", "w", encoding="ascii") as script:
        script.write(f"(voice_{voice})\n(set! u (Utterance Segments ({' '.join(segments)})))\n"
                     "(utt.synth u)\n(utt.save.wave u \"voice.wav\" 'riff)\n")
    subprocess.run(["festival", "-b", "voice.scm"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return labels


def weights_of(odori, model):
    """The weight of each vowel by frame, from the motion that `export` writes."""
    subprocess.run([odori, "export", model, "--sing", "voice.wav", "--no-physics", "-o", "lips.vmd",
                    "-y", "-q"], check=True)
    with open("lips.vmd", "rb") as file:
        data = file.read()
    at = 50
    at += 4 + 111 * struct.unpack_from("<I", data, at)[0]
    keys = {vowel: [] for vowel in VOWELS}
    for i in range(struct.unpack_from("<I", data, at)[0]):
        name, frame, weight = struct.unpack_from("<15sIf", data, at + 4 + 23 * i)
        vowel = MORPHS.get(name.split(b"\0")[0].decode("shift_jis", "replace"))
        if vowel:
            keys[vowel].append((frame, weight))
    weights = {}
    for vowel, list_ in keys.items():
        list_.sort()
        track = []
        for (frame, weight), (then, _) in zip(list_, list_[1:] + [(list_[-1][0] + 1, 0)] if list_ else []):
            track += [weight] * (then - frame)
        weights[vowel] = track
    return weights


def heard(weights, start_s, end_s):
    first, last = round((0.7 * start_s + 0.3 * end_s) * 30), round((0.2 * start_s + 0.8 * end_s) * 30)
    means = {v: sum(w[first:last + 1]) / (last + 1 - first) for v, w in weights.items()}
    best = max(VOWELS, key=means.get)
    return best if means[best] > 0.15 else "n"


def judge(name, odori, model, voices, make):
    table = {vowel: dict.fromkeys(VOWELS, 0) for vowel in VOWELS}
    for voice in voices:
        labels, weights = make(*voice), weights_of(odori, model)
        for start_s, end_s, vowel in labels:
            table[vowel][heard(weights, start_s, end_s)] += 1
    total = sum(sum(row.values()) for row in table.values())
    right = sum(table[vowel][vowel] for vowel in VOWELS)
    print(f"{name}: {total} syllables of {len(voices)} voices, {100 * right / total:.1f} % right")
    print("   " + "".join(f"{vowel:>5}" for vowel in VOWELS))
    for vowel in VOWELS:
        row = table[vowel]
        print(f"  {vowel}" + "".join(f"{100 * row[v] / max(sum(row.values()), 1):5.0f}" for v in VOWELS))
    return right >= 0.8 * total


def main():
    odori, model = map(os.path.abspath, sys.argv[1:3])
    variants = ["", "+f1", "+f2", "+f3", "+f4", "+f5", "+m1", "+m2", "+m3", "+m4", "+m5", "+m7", "+Annie",
                "+linda"]
    sets = {"few": ("espeak-ng", [("ja", 50), ("ja+f2", 50), ("ja+f4", 99)], speak),
            "espeak": ("espeak-ng", [("ja" + v, p) for v in variants for p in (20, 50, 99)], speak),
            "festival": ("festival", [(v, p) for v, pitches in FESTIVAL for p in pitches
                                      if any(os.path.isdir(f"/usr/share/festival/voices/{l}/{v}")
                                             for l in ("italian", "czech", "finnish"))], sing)}
    good, judged = True, False
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for name in sys.argv[3:]:
            program, voices, make = sets[name]
            if not shutil.which(program) or not voices:
                print(f"skipped: {program} or its voices are not installed")
                continue
            good &= judge(program, odori, model, voices, make)
            judged = True
        os.chdir("/")
    sys.exit(0 if good and judged else 1 if judged else 2)


main()
