/** A page of who may what, and the right without which there is nothing to see on it. */
interface AccessPageNeeds {
  readonly to: '/users' | '/invite-links' | '/groups' | '/service-accounts' | '/roles' | '/single-sign-on' | '/logins'
  readonly needs: string
}

/** Pages of who may what, in their order. */
export const ACCESS_PAGES: readonly AccessPageNeeds[] = [
  { to: '/users', needs: 'ADMIN' },
  { to: '/invite-links', needs: 'ADMIN' },
  { to: '/groups', needs: 'ADMIN' },
  { to: '/service-accounts', needs: 'ADMIN' },
  { to: '/roles', needs: 'READ_ROLE' },
  { to: '/single-sign-on', needs: 'ADMIN' },
  { to: '/logins', needs: 'ADMIN' },
]

/** The address of a page of who may what. */
export type AccessPage = AccessPageNeeds['to']

/** Those that a person may see: menu, palette and tabs lead to nothing else. */
export const accessPages = (may: (permission: string) => boolean): readonly AccessPage[] =>
  ACCESS_PAGES.filter(({ needs }) => may(needs)).map(({ to }) => to)
