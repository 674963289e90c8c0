/** Says which environment is one for production, where its name does not. */
const notItself = (environment: string): string =>
  environment === 'production' ? '' : `${environment} is a production environment. `

/** Texts of the list of flags and of what is done with several of them, in English. */
export const flagsEn = {
  types: {
    release: 'Release',
    experiment: 'Experiment',
    operational: 'Operational',
    'kill-switch': 'Kill switch',
    permission: 'Permission',
  } as Readonly<Record<string, string>>,
  flags: {
    title: 'Flags',
    found: (total: number, shown: string) => (total === 1 ? '1 flag' : `${shown} flags`),
    search: 'Search flags',
    searchHint: 'Name or description',
    type: 'Type',
    state: 'State',
    tag: 'Tag',
    anyType: 'Any type',
    anyState: 'Any state',
    active: 'Active',
    stale: 'Stale',
    tagHint: 'type:value',
    clear: 'Clear filters',
    create: 'Create flag',
    empty: 'No flags yet',
    emptyText: 'A flag lets you switch something on and off, for everybody or for some, without a deployment.',
    emptyViewer: 'There are no flags in this project yet.',
    noMatch: 'No flag matches',
    noMatchText: 'Try fewer letters, or clear the filters.',
    table: 'Flags of the project',
    sortBy: (column: string) => `Sort by ${column}`,
    switchLabel: (flag: string, environment: string) => `${flag} in ${environment}`,
    on: 'On',
    off: 'Off',
    switchedOn: (flag: string, environment: string) => `${flag} is on in ${environment}`,
    switchedOff: (flag: string, environment: string) => `${flag} is off in ${environment}`,
    confirmOn: (flag: string, environment: string) => `Turn ${flag} on in ${environment}?`,
    confirmOff: (flag: string, environment: string) => `Turn ${flag} off in ${environment}?`,
    confirmOnText: (environment: string) => `${notItself(environment)}Real users get it within seconds.`,
    confirmOffText: (environment: string) => `${notItself(environment)}Real users lose it within seconds.`,
    enablesDisabled: 'All its strategies there are disabled: turning it on enables them.',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    createTitle: 'Create a flag',
    nameHint: 'As it stands in code. Letters, digits, dots, dashes; it cannot be changed later.',
    nameBad: "Only letters, digits, and - _ . ~ ! * ' ( )",
    namePattern: (pattern: string) => `The project wants names that match ${pattern}`,
    nameExample: (example: string) => `For example ${example}.`,
    descriptionHint: 'What it does, and when it can go',
    impression: 'Impression data',
    impressionHint: 'SDKs report each evaluation as an event to your own code',
    created: (flag: string) => `${flag} is created, off everywhere`,
    archiveText:
      'SDKs stop getting it within seconds, and your code uses its default. It can be revived, off in every environment.',
    tagType: 'Type of tag',
    tagValue: 'Value',
  },
  list: {
    active: 'Active',
    stale: 'Stale',
    'potentially-stale': 'Potentially stale',
    archived: 'Archived',
    lifetime: (type: string, days: number, shown: string) =>
      `${type} flags are meant to live ${days === 1 ? '1 day' : `${shown} days`}`,
    status: 'On or off',
    anyStatus: 'On or off anywhere',
    onIn: (environment: string) => `On in ${environment}`,
    offIn: (environment: string) => `Off in ${environment}`,
    sort: 'Order',
    select: (flag: string) => `Select ${flag}`,
    selectShown: 'Select the flags that are loaded',
    tags: 'Tags',
    keys: 'Arrow keys move between rows, x selects, Shift + x selects all in between',
  },
  bulk: {
    label: 'Selected flags',
    selected: (count: number, shown: string) => (count === 1 ? '1 flag selected' : `${shown} flags selected`),
    selectAll: (total: string) => `Select all ${total}`,
    clear: 'Clear selection',
    kinds: { switch: 'Turn on or off', tag: 'Tags', stale: 'Stale', archive: 'Archive', revive: 'Revive' },
    title: (count: number) => (count === 1 ? '1 flag' : `${count} flags`),
    addTag: 'Add tag',
    removeTag: 'Remove tag',
    turnOn: (environment: string) => `Turn on in ${environment}`,
    turnOff: (environment: string) => `Turn off in ${environment}`,
    markStale: 'Mark as stale',
    markActive: 'Mark as active',
    archive: 'Archive',
    revive: 'Revive',
    willChange: (count: number, shown: string) =>
      count === 0 ? 'Nothing changes.' : count === 1 ? '1 flag changes:' : `${shown} flags change:`,
    areSo: (count: number, shown: string) => (count === 1 ? '1 is so already.' : `${shown} are so already.`),
    andMore: (shown: string) => `and ${shown} more`,
    parents: (names: string) => `Other flags depend on ${names}. Select those as well, or take the dependency away.`,
    losesParents: 'Some of them depend on other flags. These dependencies go, and undoing does not bring them back.',
    tagged: (count: number, tag: string) => (count === 1 ? `1 flag has the tag ${tag}` : `${count} flags have ${tag}`),
    untagged: (count: number, tag: string) =>
      count === 1 ? `1 flag lost the tag ${tag}` : `${count} flags lost the tag ${tag}`,
    isOn: (count: number, environment: string) =>
      count === 1 ? `1 flag is on in ${environment}` : `${count} flags are on in ${environment}`,
    isOff: (count: number, environment: string) =>
      count === 1 ? `1 flag is off in ${environment}` : `${count} flags are off in ${environment}`,
    isStale: (count: number) => (count === 1 ? '1 flag is stale' : `${count} flags are stale`),
    isActive: (count: number) => (count === 1 ? '1 flag is active' : `${count} flags are active`),
    isArchived: (count: number) =>
      count === 1
        ? '1 flag is archived. Undo brings it back, off everywhere.'
        : `${count} flags are archived. Undo brings them back, off everywhere.`,
    enablesDisabled: (count: number) =>
      count === 1
        ? 'In 1 of them all strategies are disabled: turning it on enables them.'
        : `In ${count} of them all strategies are disabled: turning them on enables those.`,
    isRevived: (count: number) =>
      count === 1 ? '1 flag is back, off everywhere' : `${count} flags are back, off everywhere`,
  },
}
