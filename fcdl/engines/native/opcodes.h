/* Made from opcodes.py by `python -m fcdl.engines.native.opcodes`; a test compares the two. */

#define OPCODES(row) \
    row(COPY, "ds") /* a = b */ \
    row(ADD, "dss") /* a = b + c */ \
    row(SUB, "dss") /* a = b - c */ \
    row(MUL, "dss") /* a = b * c */ \
    row(DIV, "dss") /* a = b / c, rounded down, 0 if c is 0 */ \
    row(MOD, "dss") /* a = b % c, with the sign of c, 0 if c is 0 */ \
    row(MIN, "dss") /* a = the smaller of b and c */ \
    row(MAX, "dss") /* a = the larger of b and c */ \
    row(NEG, "ds") /* a = -b */ \
    row(ABS, "ds") /* a = b without its sign */ \
    row(EQ, "dss") /* a = b == c */ \
    row(NE, "dss") /* a = b != c */ \
    row(LT, "dss") /* a = b < c */ \
    row(LE, "dss") /* a = b <= c */ \
    row(AND, "dss") /* a = b & c, both 0 or 1 */ \
    row(OR, "dss") /* a = b | c, both 0 or 1 */ \
    row(NOT, "ds") /* a = 1 - b, 0 or 1 */ \
    row(TABLE, "dTs") /* a = table b at c */ \
    row(LOADP, "dBps") /* a = variable b at place c, or d if there is no such place */ \
    row(STOREP, "Bps") /* variable a at place b = c, a fault if there is no such place */ \
    row(ADDP, "Bps") /* variable a at place b = itself + c, a fault if there is no such place */ \
    row(RANDOM, "ds") /* a = a random number below b, 0 if b is less than 2 */ \
    row(COUNT, "dS") /* a = number of cards in b */ \
    row(COUNTBOTH, "dSS") /* a = number of cards that b and c share */ \
    row(SUMBY, "dSC") /* a = sum of table c over the cards of b */ \
    row(WEIGH, "dSSs") /* a = a + d * number of cards that b and c share */ \
    row(MEMBER, "dsS") /* a = card b is in c */ \
    row(FIRST, "dS") /* a = first card of b, none if it is empty */ \
    row(AT, "dZps") /* a = card number d of zone b from the top, 1 the first; none if there is no such card */ \
    row(POSITION, "dsZp") /* a = the number from the top of the first card of zone c that looks like b, 0 if there is none */ \
    row(MAXBY, "dSC") /* a = card of b with the highest value in table c, the first of equals, none if b is empty */ \
    row(MINBY, "dSC") /* a = card of b with the lowest value in table c, the first of equals, none if b is empty */ \
    row(TOP, "dZp") /* a = top card of zone b, none if it is empty */ \
    row(BOTTOM, "dZp") /* a = bottom card of zone b, none if it is empty */ \
    row(TOPTABLE, "dCZp") /* a = table b at the top card of zone c */ \
    row(SUMTOPS, "dCZ") /* a = sum over all players of table b at the top card of their zone c */ \
    row(ALIKE, "dSM") /* a = there are cards in b, and all are in table c at the first of them */ \
    row(SEQUENCE, "dSC") /* a = there are cards in b, and their values in table c are one apart and all different */ \
    row(LONGEST, "dSC") /* a = number of cards in the longest sequence of b by table c */ \
    row(LONGESTRUN, "dSCC") /* a = number of cards in the longest sequence of b by table c whose values in table d are the same */ \
    row(POKER, "dSCCi") /* a = poker value of b: positions from 1 to e in table c, suits in table d */ \
    row(DEADWOOD, "dSsCC") /* a = least sum of table d over cards of b in no meld of at least c cards; places in table e */ \
    row(MELDS, "DSsCC") /* a = the cards of b that are in melds then */ \
    row(MCOPY, "DS") /* a = b */ \
    row(MENDS, "DZpsi") /* a = the first d cards of zone b from the top, or (e is not 0) from the bottom */ \
    row(MZONE, "DZp") /* a = cards of zone b, none if there is no such place */ \
    row(MTABLE, "DMs") /* a = table b at c */ \
    row(MAND, "DSS") /* a = cards of both b and c */ \
    row(MOR, "DSS") /* a = cards of b or c */ \
    row(MDIFF, "DSS") /* a = cards of b that are not in c */ \
    row(MOFFERED, "Ds") /* a = the set with the number b as a move among those that are offered; no cards if there is none */ \
    row(EACHCARD, "dDJ") /* take the first card out of b and call it a; if b is empty go to c */ \
    row(AGAINCARD, "dDJ") /* take the first card out of b, call it a and go to c; if b is empty go on */ \
    row(AGAIN, "dsJ") /* a = a + 1; if a <= b go to c */ \
    row(NEXTSET, "DSdssJ") /* a = the set of d to e cards of b that comes after a; c counts them; go to f; if there is none go on */ \
    row(SKIPSET, "DSdssJ") /* the same, but for those that add cards to a */ \
    row(NEXTKIND, "DSdssJ") /* the same as NEXTSET, with copies of a card being one */ \
    row(SKIPKIND, "DSdssJ") /* the same as SKIPSET, with copies of a card being one */ \
    row(NEXTCLOSE, "DSdsMJ") /* the same as NEXTSET, with both sizes in d; a set of a first card need only have cards of e there */ \
    row(SKIPCLOSE, "DSdsMJ") /* the same as SKIPSET, with both sizes in d; a set of a first card need only have cards of e there */ \
    row(NEXTSUM, "DSdsCJ") /* a = the set of cards of b after a whose sum by table e is d; c counts sets looked at; go to f */ \
    row(JUMP, "J") /* go to a */ \
    row(JT, "sJ") /* if a go to b */ \
    row(JF, "sJ") /* if not a go to b */ \
    row(JEQ, "ssJ") /* if a == b go to c */ \
    row(JNE, "ssJ") /* if a != b go to c */ \
    row(JLT, "ssJ") /* if a < b go to c */ \
    row(JLE, "ssJ") /* if a <= b go to c */ \
    row(TABLEJNE, "dTssJ") /* a = table b at c; if a != d go to e */ \
    row(JMEETS, "ZpSJ") /* if zone a shares a card with c go to d */ \
    row(JMEETSNOT, "ZpSJ") /* if zone a shares no card with c go to d */ \
    row(JANYTOP, "CZJ") /* if table a at the top card of the zone b of any player is not 0 go to c */ \
    row(JHAS, "SSJ") /* if a and b share a card go to c */ \
    row(JHASNOT, "SSJ") /* if a and b share no card go to c */ \
    row(JEMPTY, "SJ") /* if a is empty go to b */ \
    row(JFULL, "SJ") /* if a is not empty go to b */ \
    row(JTABLE, "TsJ") /* if table a at b is not 0 go to c */ \
    row(JTABLENOT, "TsJ") /* if table a at b is 0 go to c */ \
    row(JZHAS, "ZpMsJ") /* if zone a shares a card with table c at d go to e */ \
    row(JZHASNOT, "ZpMsJ") /* if zone a shares no card with table c at d go to e */ \
    row(JZEMPTY, "ZpJ") /* if zone a is empty go to c */ \
    row(JZFULL, "ZpJ") /* if zone a is not empty go to c */ \
    row(JTOP, "CZpJ") /* if table a at the top card of zone b is not 0 go to d */ \
    row(JTOPNOT, "CZpJ") /* if table a at the top card of zone b is 0 go to d */ \
    row(JTOPLT, "CZpZpJ") /* if table a at the top card of zone b is less than at that of zone d go to f */ \
    row(JTOPNLT, "CZpZpJ") /* if table a at the top card of zone b is not less than at that of zone d go to f */ \
    row(STEP, "") /* nothing but arrive */ \
    row(PAUSE, "") /* arrive; a run that is for one cycle only ends here */ \
    row(STOP, "") /* the value of a function is there */ \
    row(CALL, "diJ") /* a = b, the number of the return address; go to c */ \
    row(RETURN, "sRi") /* go to return address number a of list b */ \
    row(END, "") /* the game is over */ \
    row(FAULT, "s") /* the game ends with a fault if there is no place a */ \
    row(GATHER, "") /* all cards go to the pack, which is shuffled */ \
    row(SHUFFLE, "Zp") /* shuffle zone a */ \
    row(MOVEN, "sZpZp") /* a cards go from the top of zone b to zone d */ \
    row(MOVEALL, "ZpZp") /* all cards of zone a go to zone c */ \
    row(INSERTN, "sZpZps") /* a cards go from the top of zone b, one after another, to place f of zone d */ \
    row(INSERTALL, "ZpZps") /* all cards of zone a go, one after another, to place e of zone c */ \
    row(INSERTSET, "SZpZps") /* the cards of a that are in zone b go, one after another, to place f of zone d */ \
    row(MOVESET, "SZpZp") /* the cards of a that are in zone b go to zone d */ \
    row(SWEEP, "ZZp") /* all cards of zone a of every player go to zone b */ \
    row(PLAY, "sSZpZp") /* player a plays a card of b from zone c to zone e */ \
    row(PLAYT, "sMsZZp") /* player a plays a card of table b at c from their zone d to zone e */ \
    row(PLAYPASS, "sSZpZp") /* the same as PLAY, or a pass */ \
    row(PICK, "sSZpZp") /* player a picks a card of b from zone c for zone e; one less is left to pick (none, if it cannot) */ \
    row(REPICK, "J") /* if more are left to pick go to a */ \
    row(VALUES, "") /* no values are offered */ \
    row(VALUE, "s") /* a is offered, too */ \
    row(RANGE, "ss") /* a to b are offered, too */ \
    row(SETS, "") /* no sets are offered */ \
    row(OFFER, "SJ") /* the set a is offered, too; if no more can be go to b */ \
    row(TAKE, "sZpZpi") /* player a plays (f is 0) or takes (2) a set offered from zone b to zone d; f odd: or passes */ \
    row(CHOOSE, "sBp") /* player a gives variable b one of the values offered */ \
    row(TELL, "Niss") /* variable number b at place c was given d, at node a */ \
    row(BRANCH, "Ni") /* the diamond a was left by yes (1) or no (0) */ \
    row(PUBLISH, "N") /* the text of node a is published; what follows are its values */ \
    row(SAY, "s") /* a value of the text */ \
    row(SAYCARDS, "S") /* cards of the text */ \
    row(SHOW, "NSs") /* the cards of b are shown to player c, or to all (-2), at node a */ \
    row(SHOWZONE, "NZps") /* the cards of zone b are shown to player d, or to all (-2), at node a */
