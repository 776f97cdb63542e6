// Objects that stay the same ones while nothing of them changes.

/** Gives of each list the members of the one before that `isSame` finds unchanged, by their ids. */
export function keepSame<Member extends { id: string }>(isSame: (before: Member, now: Member) => boolean) {
  let kept: ReadonlyMap<string, Member> = new Map();
  return (members: readonly Member[]): Member[] => {
    const now = members.map((member) => {
      const before = kept.get(member.id);
      return before !== undefined && isSame(before, member) ? before : member;
    });
    kept = new Map(now.map((member) => [member.id, member]));
    return now;
  };
}
