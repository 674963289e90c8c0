import type { Page } from 'playwright-core'

type Role = Parameters<Page['getByRole']>[0]

/** Role and name of an element that is clicked or, if it is a combobox, opened with a key. */
export type Click = readonly [role: Role, name: string | RegExp]

/** Overlay: its page, the clicks that open it, and the overlay's own role and name. */
export interface Overlay {
  readonly name: string
  readonly path: string
  /** For menus and popovers, the file that renders the overlay. */
  readonly file?: string
  readonly clicks: readonly Click[]
  readonly opens: readonly [role: Role, name?: string | RegExp]
}

const LIST = '/projects/default'
const FLAG = '/projects/default/features/new-checkout'
const PLAN = '/projects/default/features/search.suggestions'
const NEW_STRATEGY = `${FLAG}?env=development&strategy=new`

const MENUS: readonly Overlay[] = [
  {
    name: 'menu of the account',
    file: 'shell/session/account-menu.tsx',
    path: LIST,
    clicks: [['button', /^Account/]],
    opens: ['menu'],
  },
  {
    name: 'export of the activity',
    file: 'events/event-export-menu.tsx',
    path: '/events',
    clicks: [['button', 'Export']],
    opens: ['menu'],
  },
  {
    name: 'columns',
    file: 'flags/menus/columns-menu.tsx',
    path: LIST,
    clicks: [['button', 'Columns']],
    opens: ['menu'],
  },
  {
    name: 'filters to add',
    file: 'flags/filters/filter-menu.tsx',
    path: LIST,
    clicks: [['button', 'Filter']],
    opens: ['menu'],
  },
  {
    name: 'menu of a flag in the list',
    file: 'flags/menus/flag-menu.tsx',
    path: LIST,
    clicks: [['button', /^Actions for mail-sending/]],
    opens: ['menu'],
  },
  {
    name: 'menu of a flag',
    file: 'flag/flag-actions.tsx',
    path: FLAG,
    clicks: [['button', /^More\b/]],
    opens: ['menu'],
  },
  {
    name: 'menu of a strategy',
    file: 'ui/page/row-menu.tsx',
    path: FLAG,
    clicks: [['button', /^Actions for strategy 1/]],
    opens: ['menu'],
  },
  {
    name: 'menu of a comment',
    file: 'ui/page/row-menu.tsx',
    path: `${FLAG}?tab=comments`,
    clicks: [['button', /^Actions for the comment/]],
    opens: ['menu'],
  },
  {
    name: 'menu of a stale flag',
    file: 'ui/page/row-menu.tsx',
    path: '/stale',
    clicks: [['button', 'More: old-landing-page']],
    opens: ['menu'],
  },
  {
    name: 'menu of an environment, which has what cannot be done',
    file: 'ui/page/row-menu.tsx',
    path: '/environments',
    clicks: [['button', 'More: production']],
    opens: ['menu'],
  },
  {
    name: 'menu of an integration',
    file: 'ui/page/row-menu.tsx',
    path: '/integrations',
    clicks: [['button', 'More: Release bot']],
    opens: ['menu'],
  },
  {
    name: 'menu of a release template',
    file: 'ui/page/row-menu.tsx',
    path: '/release-templates',
    clicks: [['button', 'More: Careful']],
    opens: ['menu'],
  },
  {
    name: 'menu of a safeguard',
    file: 'ui/page/row-menu.tsx',
    path: PLAN,
    clicks: [['button', /^More: safeguard errors/]],
    opens: ['menu'],
  },
]

const POPOVERS: readonly Overlay[] = [
  {
    name: 'stage',
    file: 'lifecycle/stage.tsx',
    path: FLAG,
    clicks: [['button', /^(New|Pre-live|Live|Completed),/]],
    opens: ['dialog'],
  },
  {
    name: 'people',
    file: 'flag/people/flag-people.tsx',
    path: FLAG,
    clicks: [['button', /^People: /]],
    opens: ['dialog', 'People'],
  },
  {
    name: 'notifications',
    file: 'notifications/notification-panel.tsx',
    path: LIST,
    clicks: [['button', /^Notifications/]],
    opens: ['dialog', 'Notifications'],
  },
  {
    name: 'new tag',
    file: 'flag/about/flag-tags.tsx',
    path: FLAG,
    clicks: [['button', '+ Add tag']],
    opens: ['dialog', 'Add tag'],
  },
  {
    name: 'new link',
    file: 'flag/about/flag-links.tsx',
    path: FLAG,
    clicks: [['button', '+ Add link']],
    opens: ['dialog', 'Add link'],
  },
]

const LISTS: readonly Overlay[] = [
  { name: 'projects, at the top', path: LIST, clicks: [['combobox', 'Project']], opens: ['listbox'] },
  {
    name: 'types of events',
    path: '/events?env=development',
    clicks: [['combobox', 'Event']],
    opens: ['listbox'],
  },
  { name: 'several environments', path: '/playground', clicks: [['combobox', 'Environments']], opens: ['listbox'] },
  {
    name: 'fields that are offered',
    path: '/playground',
    clicks: [
      ['button', 'Add field'],
      ['combobox', 'Field'],
    ],
    opens: ['listbox'],
  },
  {
    name: 'environments of a token, in a dialog',
    path: '/tokens',
    clicks: [
      ['button', 'Create token'],
      ['combobox', 'Environment'],
    ],
    opens: ['listbox'],
  },
  {
    name: 'several environments, in a dialog',
    path: '/projects?edit=new',
    clicks: [['combobox', 'Environments']],
    opens: ['listbox'],
  },
  { name: 'segments, in a side panel', path: NEW_STRATEGY, clicks: [['combobox', 'Segments']], opens: ['listbox'] },
  {
    name: 'operators, in a side panel',
    path: NEW_STRATEGY,
    clicks: [
      ['button', 'Add constraint'],
      ['combobox', 'Operator'],
    ],
    opens: ['listbox'],
  },
  {
    name: 'fields of a constraint, in a side panel',
    path: NEW_STRATEGY,
    clicks: [
      ['button', 'Add constraint'],
      ['combobox', 'Context field'],
    ],
    opens: ['listbox'],
  },
]

const MORE = ['button', /^More\b/] as const

const DIALOGS: readonly Overlay[] = [
  { name: 'question', path: LIST, clicks: [['switch', 'new-checkout in production']], opens: ['dialog'] },
  {
    name: 'question about what is lost',
    path: '/integrations',
    clicks: [
      ['button', 'More: Release bot'],
      ['menuitem', 'Delete Release bot'],
    ],
    opens: ['dialog'],
  },
  { name: 'palette', path: LIST, clicks: [['button', /^Find anything/]], opens: ['dialog', 'Find anything'] },
  {
    name: 'keys',
    path: LIST,
    clicks: [
      ['button', /^Account/],
      ['menuitem', 'Keyboard shortcuts'],
    ],
    opens: ['dialog', 'Keyboard shortcuts'],
  },
  {
    name: 'name of a saved view',
    path: `${LIST}?q=checkout`,
    clicks: [['button', 'Save view']],
    opens: ['dialog'],
  },
  ...['Turn on or off', 'Tags', 'Mark stale', 'Archive', 'Export'].map(
    (kind): Overlay => ({
      name: `several flags: ${kind}`,
      path: LIST,
      clicks: [
        ['checkbox', 'Select mail-sending'],
        ['button', kind],
      ],
      opens: ['dialog'],
    }),
  ),
  { name: 'details of a flag', path: FLAG, clicks: [['button', 'Edit details']], opens: ['dialog'] },
  { name: 'parent of a flag', path: FLAG, clicks: [['button', '+ Add dependency']], opens: ['dialog'] },
  ...['Mark as completed', 'Copy to a new flag', 'Move to another project', 'Archive'].map(
    (item): Overlay => ({
      name: `a flag: ${item}`,
      path: FLAG,
      clicks: [MORE, ['menuitem', item]],
      opens: ['dialog'],
    }),
  ),
  { name: 'variants, a side panel', path: `${FLAG}?env=production&variants=true`, clicks: [], opens: ['dialog'] },
  { name: 'strategy, a side panel', path: NEW_STRATEGY, clicks: [], opens: ['dialog'] },
  {
    name: 'putting off, a date',
    path: '/stale',
    clicks: [
      ['button', 'Snooze old-landing-page'],
      ['radio', 'Until a date'],
    ],
    opens: ['dialog'],
  },
  {
    name: 'clone of an environment',
    path: '/environments',
    clicks: [
      ['button', 'More: development'],
      ['menuitem', /^Clone/],
    ],
    opens: ['dialog'],
  },
  { name: 'own name', path: '/profile', clicks: [['button', 'Change name']], opens: ['dialog', 'Change name'] },
  { name: 'own e-mail address', path: '/profile', clicks: [['button', 'Change e-mail address']], opens: ['dialog'] },
  { name: 'new group', path: '/groups?edit=new', clicks: [], opens: ['dialog'] },
  { name: 'new role, a side panel', path: '/roles?edit=new', clicks: [], opens: ['dialog'] },
  { name: 'deliveries, a side panel', path: '/integrations?log=1', clicks: [], opens: ['dialog'] },
  { name: 'new invitation', path: '/invite-links?edit=new', clicks: [], opens: ['dialog'] },
  { name: 'new release template, a side panel', path: '/release-templates?edit=new', clicks: [], opens: ['dialog'] },
  { name: 'release plan, a side panel', path: `${FLAG}?env=production&plan=true`, clicks: [], opens: ['dialog'] },
  {
    name: 'flag for one user',
    path: FLAG,
    clicks: [
      ['button', 'Test'],
      ['button', 'Give the flag to a user'],
    ],
    opens: ['dialog'],
  },
  { name: 'new chart', path: '/metrics?env=development&edit=new', clicks: [], opens: ['dialog'] },
  { name: 'new signal endpoint', path: '/signal-endpoints?edit=new', clicks: [], opens: ['dialog'] },
  { name: 'new safeguard', path: PLAN, clicks: [['button', '+ Add safeguard']], opens: ['dialog'] },
  {
    name: 'safeguard',
    path: PLAN,
    clicks: [
      ['button', /^More: safeguard errors/],
      ['menuitem', 'Edit'],
    ],
    opens: ['dialog'],
  },
  {
    name: 'time of the next milestone',
    path: PLAN,
    clicks: [
      ['button', /^More: release plan Careful/],
      ['menuitem', 'Change time of the next milestone'],
    ],
    opens: ['dialog'],
  },
  { name: 'event, a side panel', path: '/events', clicks: [['button', /^Details: /]], opens: ['dialog'] },
  {
    name: 'restoration of a flag',
    path: `${FLAG}?tab=history&at=2100-01-01T00:00:00Z`,
    clicks: [['button', /^Restore development/]],
    opens: ['dialog'],
  },
  {
    name: 'default strategy, a side panel',
    path: '/projects/checkout/settings?tab=defaults',
    clicks: [['button', 'Edit default strategy in production']],
    opens: ['dialog'],
  },
  { name: 'new service account', path: '/service-accounts?edit=new', clicks: [], opens: ['dialog'] },
  {
    name: 'tokens of a service account',
    path: '/service-accounts',
    clicks: [['button', 'Tokens of Deployments']],
    opens: ['dialog'],
  },
  {
    name: 'end of all other sessions',
    path: '/profile',
    clicks: [['button', 'End all other sessions']],
    opens: ['dialog'],
  },
  { name: 'new user', path: '/users?edit=new', clicks: [], opens: ['dialog'] },
  { name: 'new project', path: '/projects?edit=new', clicks: [], opens: ['dialog'] },
]

/** All overlays; an overlay occurs once for each context in which its contents differ. */
export const OVERLAYS: readonly Overlay[] = [...MENUS, ...POPOVERS, ...LISTS, ...DIALOGS]
