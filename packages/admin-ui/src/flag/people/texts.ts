import type { Catalogue } from '../../text/languages.ts'

const en = {
  here: (first: string, others: number) =>
    others === 0
      ? `${first} is here too`
      : others === 1
        ? `${first} and 1 other person are here too`
        : `${first} and ${others} others are here too`,
  follow: (count: number) => (count === 1 ? '1 follower' : `${count} followers`),
  title: 'People',
  present: 'Viewing this flag now',
  nobody: 'No one else',
  followers: 'Following this flag',
  followersHint: 'Followers are notified of changes.',
  noFollowers: 'None. Users who mark the flag as a favorite follow it.',
  reasons: { maker: 'creator', favorite: 'favorite' },
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
  follow: (count) => (count === 1 ? '1 Follower' : `${count} Follower`),
  title: 'Personen',
  present: 'Gerade bei diesem Flag',
  nobody: 'Niemand sonst',
  followers: 'Follower dieses Flags',
  followersHint: 'Follower werden über Änderungen benachrichtigt.',
  noFollowers: 'Keine. Benutzer, die das Flag als Favorit markieren, folgen ihm.',
  reasons: { maker: 'erstellt', favorite: 'Favorit' },
  you: (name) => `${name} (Sie)`,
  choice: 'Wählen, ob andere Sie hier sehen',
}

/** UI strings about viewers and followers of a flag. */
export const FLAG_PEOPLE_TEXTS: Catalogue<typeof en> = { en, de }
