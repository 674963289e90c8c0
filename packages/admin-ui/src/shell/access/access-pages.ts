/** Page about access control with the permission that is required to see it. */
interface AccessPageNeeds {
  readonly to: '/users' | '/invite-links' | '/groups' | '/service-accounts' | '/roles' | '/single-sign-on' | '/logins'
  readonly needs: string
}

/** Access-control pages in display order. */
export const ACCESS_PAGES: readonly AccessPageNeeds[] = [
  { to: '/users', needs: 'ADMIN' },
  { to: '/invite-links', needs: 'ADMIN' },
  { to: '/groups', needs: 'ADMIN' },
  { to: '/service-accounts', needs: 'ADMIN' },
  { to: '/roles', needs: 'READ_ROLE' },
  { to: '/single-sign-on', needs: 'ADMIN' },
  { to: '/logins', needs: 'ADMIN' },
]

/** Path of an access-control page. */
export type AccessPage = AccessPageNeeds['to']

/** Returns the access-control pages that the user may see. Menu, palette and tabs link only to these. */
export const listAccessPages = (may: (permission: string) => boolean): readonly AccessPage[] =>
  ACCESS_PAGES.filter(({ needs }) => may(needs)).map(({ to }) => to)
