import type { Catalogue } from '../../text/languages.ts'

const en = {
  here: (first: string, others: number) =>
    others === 0
      ? `${first} is here too`
      : others === 1
        ? `${first} and 1 other are here too`
        : `${first} and ${others} others are here too`,
  follow: (count: number) => (count === 1 ? '1 person follows it' : `${count} people follow it`),
  title: 'People',
  present: 'Looking at this flag now',
  nobody: 'Nobody else',
  followers: 'Following this flag',
  followersHint: 'They hear of its changes.',
  noFollowers: 'Nobody. Whoever has it as a favorite does.',
  reasons: { maker: 'made it', favorite: 'has it as a favorite' },
  you: (name: string) => `${name} (you)`,
  choice: 'Choose whether others see you here',
}

const de: typeof en = {
  here: (first, others) =>
    others === 0
      ? `${first} ist auch hier`
      : others === 1
        ? `${first} und 1 weitere Person sind auch hier`
        : `${first} und ${others} weitere sind auch hier`,
  follow: (count) => (count === 1 ? '1 Person folgt ihm' : `${count} Personen folgen ihm`),
  title: 'Menschen',
  present: 'Sehen sich diesen Schalter gerade an',
  nobody: 'Niemand sonst',
  followers: 'Folgen diesem Schalter',
  followersHint: 'Sie hören von seinen Änderungen.',
  noFollowers: 'Niemand. Wer ihn als Favoriten hat, folgt ihm.',
  reasons: { maker: 'hat ihn angelegt', favorite: 'hat ihn als Favoriten' },
  you: (name) => `${name} (Sie)`,
  choice: 'Wählen, ob andere Sie hier sehen',
}

/** UI texts about viewers and followers of a flag. */
export const FLAG_PEOPLE_TEXTS: Catalogue<typeof en> = { en, de }
