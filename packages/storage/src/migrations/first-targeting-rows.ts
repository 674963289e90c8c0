/** Context fields of a new installation: name, description, and whether rollouts may use the field for stickiness. */
export const CONTEXT_FIELDS = [
  ['userId', 'Who uses the application', 1],
  ['sessionId', 'The session of that user', 1],
  ['appName', 'Name of the application', 0],
  ['environment', 'Environment the application runs in', 0],
  ['currentTime', 'When it is, for constraints on dates', 0],
] as const

/** Strategy types of a new installation. */
export const STRATEGY_TYPES = [
  {
    name: 'flexibleRollout',
    title: 'Gradual rollout',
    description: 'A share of users, sticky by a field of the context.',
    parameters: [
      { name: 'rollout', type: 'percentage', description: 'Share of users', required: true },
      { name: 'stickiness', type: 'string', description: 'What a user keeps the result by', required: true },
      { name: 'groupId', type: 'string', description: 'Flags of one group give the same users the same result' },
    ],
  },
  { name: 'default', title: 'Standard', description: 'Everybody.', parameters: [] },
  {
    name: 'userWithId',
    title: 'User ids',
    description: 'Listed users.',
    parameters: [{ name: 'userIds', type: 'list', description: 'Ids of users' }],
    deprecated: 1,
  },
  {
    name: 'remoteAddress',
    title: 'Addresses',
    description: 'Listed addresses and ranges.',
    parameters: [{ name: 'IPs', type: 'list', description: 'Addresses and CIDR ranges', required: true }],
  },
  {
    name: 'applicationHostname',
    title: 'Hosts',
    description: 'Listed hosts.',
    parameters: [{ name: 'hostNames', type: 'list', description: 'Names of hosts' }],
  },
  ...['UserId', 'SessionId', 'Random'].map((by) => ({
    name: `gradualRollout${by}`,
    title: null,
    description: 'An older form of the gradual rollout.',
    parameters: [{ name: 'percentage', type: 'percentage', description: 'Share of users' }],
    deprecated: 1,
  })),
]
