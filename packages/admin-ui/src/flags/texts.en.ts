/** Explains that an environment is for production if its name does not say so. */
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
    searchHint: 'Search',
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
    emptyText: 'A flag turns something on or off, for all users or some, without a deployment.',
    emptyViewer: 'This project has no flags yet.',
    noMatch: 'No matching flags',
    noMatchText: 'Try fewer letters, or clear the filters.',
    noneOverdue: 'No flag is past its expected lifetime',
    table: 'Flags of the project',
    sortBy: (column: string) => `Sort by ${column}`,
    switchLabel: (flag: string, environment: string) => `${flag} in ${environment}`,
    on: 'On',
    off: 'Off',
    switchedOn: (flag: string, environment: string) => `${flag} is on in ${environment}`,
    switchedOff: (flag: string, environment: string) => `${flag} is off in ${environment}`,
    confirmOff: (flag: string, environment: string) => `Turn ${flag} off in ${environment}?`,
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    createTitle: 'Create a flag',
    nameHint: 'As used in your code. It cannot be changed later.',
    nameBad: "Use only letters, digits and - _ . ~ ! * ' ( )",
    namePattern: (pattern: string) => `Names in this project must match ${pattern}`,
    nameExample: (example: string) => `For example ${example}.`,
    descriptionHint: 'What it does, and when it can be removed',
    impression: 'Impression data',
    impressionHint: 'SDKs emit an event for each evaluation to your code',
    created: (flag: string) => `Created ${flag}. It’s off in every environment.`,
    archiveText:
      'SDKs stop receiving it within seconds, and your code falls back to its default. You can restore it later, off in every environment.',
    tagType: 'Tag type',
    tagValue: 'Value',
  },
  stages: {
    initial: 'New',
    'pre-live': 'Pre-live',
    live: 'Live',
    completed: 'Completed',
    archived: 'Archived',
  },
  list: {
    stage: 'Stage',
    createdBy: 'Created by',
    anyStage: 'Any stage',
    active: 'Active',
    stale: 'Stale',
    'potentially-stale': 'Potentially stale',
    archived: 'Archived',
    lifetime: (type: string, days: number, shown: string) =>
      `${type} flags are expected to last ${days === 1 ? '1 day' : `${shown} days`}`,
    forever: (type: string) => `${type} flags are permanent: they never become stale by age`,
    status: 'On or off',
    anyStatus: 'On or off anywhere',
    onIn: (environment: string) => `On in ${environment}`,
    offIn: (environment: string) => `Off in ${environment}`,
    mine: 'My flags',
    mineHint: 'Flags you created or marked as favorites',
    noneMine: 'No flags of yours',
    noneMineText: 'Flags you create or mark with a star appear here.',
    notSeen: 'never',
    neverSeen: 'never evaluated',
    notSeenYet: 'Not evaluated yet',
    notSeenHint:
      'SDKs report evaluations about once a minute. A plain request, for example with curl, reports nothing.',
    sort: 'Order',
    select: (flag: string) => `Select ${flag}`,
    selectShown: 'Select all loaded flags',
    tags: 'Tags',
    favorite: (flag: string) => `Favorite: ${flag}`,
    columns: 'Columns',
    filters: 'Filters',
    savedFilters: 'Saved filters',
    compare: 'Compare',
    tooManyToCompare: 'Too many flags selected for a selective comparison: comparing all flags of the project.',
    keys: 'Arrow keys move between rows, x selects, Shift + x selects a range',
  },
  bulk: {
    label: 'Selected flags',
    selected: (count: number, shown: string) => (count === 1 ? '1 flag selected' : `${shown} flags selected`),
    selectAll: (total: string) => `Select all ${total}`,
    clear: 'Clear selection',
    kinds: {
      switch: 'Turn on or off',
      tag: 'Tags',
      stale: 'Stale',
      archive: 'Archive',
      revive: 'Restore',
      export: 'Export',
    },
    title: (count: number, shown: string) => (count === 1 ? '1 flag' : `${shown} flags`),
    archiveTitle: (count: number, shown: string) => (count === 1 ? 'Archive 1 flag?' : `Archive ${shown} flags?`),
    archiveText:
      'SDKs stop receiving them within seconds, and your code falls back to its defaults. You can restore them later, off in every environment.',
    addTag: 'Add tag',
    removeTag: 'Remove tag',
    turnOn: (environment: string) => `Turn on in ${environment}`,
    turnOff: (environment: string) => `Turn off in ${environment}`,
    markStale: 'Mark as stale',
    markActive: 'Mark as active',
    archive: 'Archive',
    revive: 'Restore',
    willChange: (count: number, shown: string) =>
      count === 0 ? 'Nothing changes.' : count === 1 ? '1 flag changes:' : `${shown} flags change:`,
    areSo: (count: number, shown: string) =>
      count === 1 ? '1 is already in this state.' : `${shown} are already in this state.`,
    andMore: (shown: string) => `and ${shown} more`,
    addsDefault: (count: number) =>
      count === 1
        ? '1 of them has no strategy there: the project’s default one is added.'
        : `${count} of them have no strategy there: the project’s default one is added.`,
    includeUsed: (count: number, shown: string) =>
      count === 1
        ? 'Also archive the one that code still asks for'
        : `Also archive the ${shown} that code still asks for`,
    archiveUnused: (count: number, shown: string) =>
      count === 1 ? 'Archive the unused one' : `Archive the ${shown} unused ones`,
    archiveAll: (shown: string) => `Archive all ${shown}`,
    lastEvaluated: (ago: string) => `last evaluated ${ago}`,
    neverEvaluated: 'never evaluated',
    evaluations: (shown: string) => `${shown} evaluations in 24 hours`,
    parents: (names: string) => `Other flags depend on ${names}. Select those too, or remove the dependency.`,
    losesParents: 'Some of them depend on other flags. These dependencies are removed, and undo does not restore them.',
    tagged: (count: number, tag: string) =>
      count === 1 ? `Added tag ${tag} to 1 flag` : `Added tag ${tag} to ${count} flags`,
    untagged: (count: number, tag: string) =>
      count === 1 ? `Removed tag ${tag} from 1 flag` : `Removed tag ${tag} from ${count} flags`,
    isOn: (count: number, environment: string) =>
      count === 1 ? `1 flag is on in ${environment}` : `${count} flags are on in ${environment}`,
    isOff: (count: number, environment: string) =>
      count === 1 ? `1 flag is off in ${environment}` : `${count} flags are off in ${environment}`,
    isStale: (count: number) => (count === 1 ? '1 flag is stale' : `${count} flags are stale`),
    isActive: (count: number) => (count === 1 ? '1 flag is active' : `${count} flags are active`),
    isArchived: (count: number) =>
      count === 1
        ? 'Archived 1 flag. Undo restores it, off in every environment.'
        : `Archived ${count} flags. Undo restores them, off in every environment.`,
    enablesDisabled: (count: number) =>
      count === 1
        ? 'In 1 of them all strategies are disabled: turning the flag on enables them.'
        : `In ${count} of them all strategies are disabled: turning the flags on enables them.`,
    isRevived: (count: number) =>
      count === 1 ? 'Restored 1 flag, off in every environment' : `Restored ${count} flags, off in every environment`,
  },
}
