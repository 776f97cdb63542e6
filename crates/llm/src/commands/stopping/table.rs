//! The words for stop of every language that people may type here. One table: a word that is missing is added here
//! and nowhere else. Accents and case do not matter, commas separate, `…` stands for words in between.

/// The words by which one language asks for a stop, and those by which it only talks about one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Language {
    /// Its tag, as a locale is named.
    pub tag: &'static str,
    /// Words that ask for a stop wherever they stand.
    pub stop: &'static str,
    /// Words with another meaning besides: they ask for a stop at an end of a clause.
    pub at_end: &'static str,
    /// Words that forbid a stop in front of it, also with some of `between` in between.
    pub not_before: &'static str,
    /// Words that forbid a stop behind it.
    pub not_after: &'static str,
    /// Words that may stand between a stop and one that forbids it.
    pub between: &'static str,
    /// Beginnings of a question about stops.
    pub asks: &'static str,
    /// Beginnings of such a question if it has its mark.
    pub asks_if_marked: &'static str,
    /// Words that make a question a request.
    pub requests: &'static str,
    /// Everything that can be stopped.
    pub all: &'static str,
    /// Words are not set apart in its script: what is listed is looked for anywhere, and `not_before` holds whole
    /// expressions that contain a word for stop and ask for none.
    pub is_unspaced: bool,
}

/// Words that stand beside an order and change nothing about it, in any language.
pub(super) const BESIDE: &str = "\
    please, pls, now, immediately, right, robot, robots, the, bitte, jetzt, sofort, der, den, die, das, \
    roboter, plait, vous, s, il, te, maintenant, le, la, les, l, por, favor, ya, ahora, el, al, a, lo, ora, \
    adesso, subito, ja, agora, o, os, robo, robos, nu, alsjeblieft, de, het, prosze, teraz, natychmiast, \
    robota, roboty, lutfen, hemen, simdi, artik, robotu, robotlar, i, yi, u, yu, quick, hey, ok, okay, oh, \
    no, va, via, can, could, would, will, should, must, you, want, to, and, at, once";

/// Words that may stand between a robot's name and the order to stop, besides those above and those of each language.
pub(super) const LINKS: &str = "\
    does, doesn, don, won, do, not, has, needs, need, get, also, soll, sollen, muss, mussen, kannst, du, wir, ihr, \
    faut, que, doit, devrait, debe, deberia, tiene, deve, dovrebbe, moet, ma, musi, niech, tez, ook, auch, aussi, \
    tambien, tambem, anche, lazim, gerek, пусть, должен, должна, пожалуйста, сейчас, немедленно";

/// Words between two names.
pub(super) const CONJUNCTIONS: &str = "and, or, und, oder, et, ou, y, e, ed, o, en, of, i, oraz, ve, и, plus";

/// Words one letter away from `stop` that mean something else.
pub(super) const ENGLISH_NO_SLIPS: &str = "shop, step, stow, stops, slop";

/// Words that English lets stand in front of `stop` in a question about it. Anything else, and the question ended before.
pub(super) const ENGLISH_ASKED_OF: &str = "\
    to, i, we, you, it, he, she, they, one, robot, robots, does, do, did, is, are, was, were, will, would, \
    can, could, should, must, has, had, not, t, the, a, an, this, that, last, emergency, e, hard, which, \
    what, who, how, why, when, where, pressed, press, presses, on, of, by, for, after, before, my, your, \
    its, and, everything, all, both, about, means, explain, describe, safely, completely, fully, finally, \
    just, ever";

/// English words about a stop that is in force: somebody ends it, nobody asks for one.
pub(super) const ENGLISH_ENDS: &str =
    "release, released, releasing, lift, lifted, clear, cleared, reset, acknowledge, acknowledged, undo";
/// Words between such a word and `stop`.
pub(super) const ENGLISH_ENDS_BETWEEN: &str = "the, this, that, a, an, my, your, emergency, e, hard, last, of, from";
/// Things named after a stop.
pub(super) const ENGLISH_THINGS: &str = "drill, panel, sign, word, words, history, log, latch";

/// True if `word` is in one of the lists above.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split(", ").any(|listed| listed == word)
}

/// Every language of the table.
pub(super) const LANGUAGES: &[Language] = &[
    Language {
        tag: "en",
        stop: "stop, sotp, stpo, tsop, sopt, tosp, stp, s t o p, not stopping, isn t stopping, is not stopping, shut it \
            down, shut them down, shut everything down, kill it, kill the power, cut the power, abort, freeze, estop, cease, stand still, hold everything, \
            do not move, don t move, dont move, nobody move, hit the brakes",
        at_end: "halt, hold it, brake, whoa, woah",
        not_before: "do not, don t, dont, must not, mustn t, should not, shouldn t, shall not, need not, needn t, may \
            not, not to, rather not, never, without, no need, instead of, non",
        not_after: "",
        between: "to, let, the, it, robot, robots, ever, just, have, want, you, make, any, of, them, need, me, us, \
            a, an, emergency, e, that, this, please",
        asks: "how, what, when, why, where, which, who, whose, whats, hows, does, did, is, are, was, were, has, \
            had, should, shall, can i, could i, may i, must i, do i, do we, do they, do \
            robots, tell me how, tell me what, tell me why, tell me about, explain, describe",
        asks_if_marked: "do, have, will it, will the, can it, can the, could it, would it, may, must",
        requests: "",
        all: "all, everything, everyone, every, everybody, both",
        is_unspaced: false,
    },
    Language {
        tag: "de",
        stop: "stop, stopp, stoppe, stoppen, stoppt, anhalten, halte … an, haltet … an, halten … an, halt an, \
            bleib stehen, bleibt stehen, bleibe stehen, stehen bleiben, stehenbleiben, notaus, not aus, \
            nothalt, not halt, notstopp, not stopp, aufhören, hör auf, hört auf, keine bewegung, nicht \
            bewegen, abbrechen, brich ab, brecht ab",
        at_end: "halt, haltet, abbruch",
        not_before: "nicht, nie, niemals, kein, keinen, ohne, statt",
        not_after: "nicht, nie, niemals",
        between: "zu, den, die, das, ihn, sie, es, roboter, mehr, einfach, an, noch, jetzt",
        asks: "wie, was, wann, warum, wieso, weshalb, wo, welche, welcher, welches, wer, womit, wodurch, soll, \
            sollte, sollen, hat, ist, war, darf, kann ich, kann man, muss ich",
        asks_if_marked: "stoppt, hält",
        requests: "",
        all: "alle, alles, allen, sämtliche",
        is_unspaced: false,
    },
    Language {
        tag: "fr",
        stop: "stop, stoppe, stoppez, stopper, arrête, arrêtez, arrêtes, arrêter, arrêtons, arrêt d urgence, \
            arrêt immédiat, ne bouge pas, ne bouge plus, ne bougez pas, ne bougez plus, plus un geste, \
            immobilise, immobilisez, immobilise toi, s arrête pas",
        at_end: "halte, arrêt",
        not_before: "ne, n, jamais, sans, pas",
        not_after: "pas, jamais, surtout pas",
        between: "te, t, vous, le, la, les, l, robot, robots, toi, surtout, encore",
        asks: "comment, pourquoi, quand, où, qui, quoi, quel, quelle, quels, quelles, combien, est ce, qu est, \
            dois, doit, faut, puis je",
        asks_if_marked: "est, a, il, que, on",
        requests: "peux, pouvez, pourrais, pourriez, veux, voulez, on peut, peut on, peut il",
        all: "tout, tous, toutes, toute",
        is_unspaced: false,
    },
    Language {
        tag: "es",
        stop: "pare, paren, parad, parar, párate, párense, detén, detente, detenga, detengan, deténgase, \
            deténganse, detened, detener, detenerse, detenlo, páralo, páralos, frena, frenen, frenar, no te \
            muevas, no se mueva, no se muevan, parada de emergencia, paro de emergencia, no para, no se \
            detiene, aborta, abortar, alto ahí",
        at_end: "para, alto, quieto, quietos, quieta, basta",
        not_before: "no, nunca, sin, jamás, tampoco",
        not_after: "",
        between: "te, se, lo, la, los, las, al, a, el, robot, que, hay, debes, debe, quiero, tienes, hace, falta",
        asks: "cómo, cuándo, dónde, quién, quiénes, cuál, cuáles, por qué, cuánto, debo, debería, debemos, \
            puedo, qué pasa, qué hace, qué significa",
        asks_if_marked: "qué, se, va, el, ha, está",
        requests: "puedes, podrías, puede usted, quieres",
        all: "todo, todos, todas, toda",
        is_unspaced: false,
    },
    Language {
        tag: "it",
        stop: "ferma, fermati, fermate, fermatevi, fermare, fermarsi, si fermi, si fermino, fermalo, fermala, \
            fermali, fermatelo, stai fermo, resta fermo, alt, arresta, arrestati, arrestate, arrestare, \
            arresto di emergenza, arresto d emergenza, arresto immediato, non muoverti, non muovetevi, non \
            ti muovere, non si ferma, blocca, bloccati, bloccate, bloccare, stoppa, stoppare, frena",
        at_end: "fermo, fermi, ferme, basta",
        not_before: "non, mai, senza",
        not_after: "",
        between: "ti, lo, la, il, robot, devi, deve, bisogna, voglio, che, vi, li",
        asks: "come, cosa, che cosa, quando, dove, chi, quale, quali, perché, quanto, devo, dobbiamo, posso",
        asks_if_marked: "si, il, è, ha, che",
        requests: "puoi, potresti, potete, vuoi",
        all: "tutto, tutti, tutte, tutta",
        is_unspaced: false,
    },
    Language {
        tag: "pt",
        stop: "pare, parem, parar, pare se, detenha, detenham, interrompa, interrompe, trava, trave, travar, \
            freie, freia, não se mexa, não se mova, não se mexam, não te mexas, parada de emergência, \
            paragem de emergência, não para, aborta, aborte, abortar, para já, fique parado, fica parado",
        at_end: "para, pára, alto, quieto, parado, chega",
        not_before: "não, nunca, sem, jamais",
        not_after: "",
        between: "o, a, os, robô, se, deve, devem, quero, que, precisa, é, preciso, de",
        asks: "como, o que, quando, onde, quem, qual, quais, por que, porque, quanto, devo, devemos, posso",
        asks_if_marked: "o, ele, vai, está, que",
        requests: "pode, podes, poderia, consegue",
        all: "tudo, todos, todas, todo",
        is_unspaced: false,
    },
    Language {
        tag: "nl",
        stop: "stop, stopt, stoppen, halt, halthouden, halt houden, sta stil, stilstaan, stil staan, zet … \
            stil, leg … stil, noodstop, hou op, houd op, ophouden, niet bewegen, beweeg niet, afbreken, \
            breek af, bevries, stopt niet",
        at_end: "stil",
        not_before: "niet, nooit, geen, zonder",
        not_after: "niet, nooit",
        between: "te, de, het, robot, laten, mogen, moet, hoeft, hem, nu, nog",
        asks: "hoe, wat, wanneer, waarom, waar, welke, welk, wie, waarmee, moet, mag, heeft, kan ik, kan men, \
            zal",
        asks_if_marked: "is, stopt",
        requests: "wil je, kun je, kunt u",
        all: "alle, alles, allemaal, allen",
        is_unspaced: false,
    },
    Language {
        tag: "pl",
        stop: "stop, stój, stójcie, zatrzymaj, zatrzymajcie, zatrzymać, zatrzymanie awaryjne, awaryjne \
            zatrzymanie, niech się zatrzyma, się zatrzyma, wstrzymaj, wstrzymać, przerwij, przerwać, \
            przestań, hamuj, nie ruszaj, nie ruszać, nie zatrzymuje, zastopuj, zastopować",
        at_end: "stać",
        not_before: "nie, nigdy, bez",
        not_after: "",
        between: "się, go, robota, robot, trzeba, wolno, musisz, można, chcę, żeby, powinien",
        asks: "jak, co, kiedy, dlaczego, czemu, gdzie, kto, który, która, które, czy, ile",
        asks_if_marked: "",
        requests: "możesz, mógłbyś, mogłabyś, możecie, możemy",
        all: "wszystko, wszystkie, wszystkich, wszyscy",
        is_unspaced: false,
    },
    Language {
        tag: "tr",
        stop: "stop, durun, durunuz, durdur, durdurun, durdurunuz, dursun, dursunlar, durdurulsun, acil \
            durdurma, acil duruş, acil dur, durdurabilir, durabilir, durmalı, durmuyor, kıpırdama, \
            kımıldama, hareket etme, kes şunu",
        at_end: "dur, yeter",
        not_before: "",
        not_after: "",
        between: "",
        asks: "nasıl, ne, neden, niçin, nerede, kim, hangi, kaç, niye",
        asks_if_marked: "",
        requests: "olur, lütfen, misin, misiniz",
        all: "hepsi, hepsini, herkes, her şey, her şeyi, bütün, tüm",
        is_unspaced: false,
    },
    Language {
        tag: "ja",
        stop: "止まれ, 止まって, 止めて, 止めろ, 止めなさい, 止まりなさい, 止まらない, 停まれ, 停めて, とまれ, とまって, とめて, とめろ, ストップ, 停止, 中止, 動くな, \
            うごくな, やめろ, やめて",
        at_end: "",
        not_before: "止まらないで, 止めないで, 止めない, 止めるな, 止まるな, 止めては, 止まっては, 停止しない, 停止するな, 停止しては, 停止せず, ストップしない, ストップするな, 止めずに, \
            止まらずに, やめないで, やめるな, 停止ボタン, 停止を解除, 停止解除, 停止中, 停止した, 停止している, 停止距離, 停止テスト",
        not_after: "",
        between: "",
        asks: "どうやって, どのように, どうすれば, どうしたら, なぜ, どうして, いつ, 誰, どれ, どこ, 何",
        asks_if_marked: "ですか, ますか, ましたか, のか",
        requests: "ください, 下さい, くれ, もらえ, いただけ, 頂け, お願い",
        all: "全部, 全て, すべて, ぜんぶ, 全員, 全ロボット, 全台, みんな",
        is_unspaced: true,
    },
    Language {
        tag: "zh",
        stop: "停, 站住, 别动, 別動, 不要动, 不要動, 不许动, 住手, 中止, 终止, 終止, 刹车, 煞車",
        at_end: "",
        not_before: "别停, 別停, 不要停, 不停, 不能停, 不可停, 不准停, 不许停, 勿停, 没停, 沒停, 无需停, 不用停, 不必停, 已停, 停车场, 停車場, 停车位, 停靠, 停电, 停電, \
            停机坪, 停機坪, 停留, 停止按钮, 停止按鈕",
        not_after: "",
        between: "",
        asks: "怎么, 怎麼, 怎样, 怎樣, 如何, 为什么, 為什麼, 为何, 什么, 什麼, 哪, 谁, 誰, 何时, 多久",
        asks_if_marked: "吗, 嗎, 是否, 呢",
        requests: "能, 可以, 请, 請, 麻烦, 麻煩, 帮, 幫",
        all: "全部, 所有, 全体, 全體, 都, 一切",
        is_unspaced: true,
    },
    Language {
        tag: "ko",
        stop: "멈춰, 멈추, 멈춤, 정지, 중지, 스톱, 그만, 세워, 움직이지 마",
        at_end: "",
        not_before: "멈추지, 정지하지, 중지하지, 세우지, 멈추면 안, 정지 해제, 정지 버튼",
        not_after: "",
        between: "",
        asks: "어떻게, 왜, 언제, 누가, 무엇, 뭐, 어디",
        asks_if_marked: "나요, 니까, ㄹ까, 을까",
        requests: "주세요, 줘, 줄래, 주시",
        all: "모두, 전부, 전체",
        is_unspaced: true,
    },
    Language {
        tag: "ru",
        stop: "стоп, стой, стойте, остановись, остановитесь, останови, остановите, остановить, остановиться, \
            замри, замрите, аварийная остановка, экстренная остановка, не двигайся, не двигаться, не \
            двигайтесь, прекрати, прекратите, тормози, не останавливается, хватит",
        at_end: "",
        not_before: "не, никогда, без",
        not_after: "",
        between: "надо, нужно, его, робота, робот, следует",
        asks: "как, что, когда, почему, зачем, где, кто, какой, сколько",
        asks_if_marked: "",
        requests: "можешь, можете, могли",
        all: "все, всё, всех, всем",
        is_unspaced: false,
    },
];
