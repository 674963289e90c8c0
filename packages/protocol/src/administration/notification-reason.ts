/** Reasons for a notification, in order of precedence. Burgee extension. */
export const NOTIFICATION_REASONS = [
  'to-apply',
  'your-request',
  'to-review',
  'maker',
  'favorite',
  'favorite-project',
] as const
export type NotificationReason = (typeof NOTIFICATION_REASONS)[number]

const TASK_REASONS = ['to-apply', 'to-review'] as const satisfies readonly NotificationReason[]

/** Returns true if notifications for this reason remain unread until the user has completed the task in question. */
export const isTaskReason = (reason: NotificationReason): boolean => TASK_REASONS.some((task) => task === reason)
