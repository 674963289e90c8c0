import { isGranted } from '@burgee/protocol/grant'
import { expect, test } from 'vitest'
import { ADMIN_PAGES, getPageLink } from '../nav.ts'
import { listAccessPages } from './access-pages.ts'

const ALL = ['/users', '/invite-links', '/groups', '/service-accounts', '/roles', '/single-sign-on', '/logins']
const PAGE = ADMIN_PAGES.find(({ id }) => id === 'users')

/** The menu leads to the first access page that the permissions allow, or has no such entry. */
test.each<[string, readonly string[], readonly string[]]>([
  ['administrators see all', ['ADMIN'], ALL],
  ['who may see roles sees these alone', ['READ_ROLE'], ['/roles']],
  ['others none', ['READ_CLIENT_API_TOKEN', 'UPDATE_PROJECT'], []],
])('%s', (_, permissions, pages) => {
  const grants = permissions.map((permission) => ({ permission }))
  const may = (permission: string): boolean => isGranted(grants, permission)
  expect(listAccessPages(may)).toEqual(pages)
  expect(PAGE && getPageLink(PAGE, may, 'default')?.to).toBe(pages[0])
})
