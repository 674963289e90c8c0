import type { enProblem } from './en-problem.ts'

/** What people are told when something fails, in German. */
export const deProblem: typeof enProblem = {
  problems: {
    late: 'Der Server hat nicht rechtzeitig geantwortet. Vielleicht ist es trotzdem geschehen: Sehen Sie nach, bevor Sie es noch einmal versuchen.',
    loggedOut:
      'Ihre Sitzung war zu Ende, darum ist dies nicht geschehen. Tun Sie es noch einmal, sobald Sie angemeldet sind.',
    mismatch: 'Das jetzige Passwort stimmt nicht.',
    link: 'Dieser Link wurde schon benutzt, ist abgelaufen oder war nie gültig.',
    noAccess: 'Das dürfen Sie hier nicht. Fragen Sie jemanden mit Administrationsrecht oder wem das Projekt gehört.',
    forbidden: 'Das geht so, wie es jetzt ist, nicht.',
    weak: 'Dieses Passwort ist zu leicht zu erraten.',
    gone: 'Es ist nicht mehr da: Vielleicht hat es jemand entfernt, verschoben oder umbenannt.',
    exists: 'Der Name ist schon vergeben.',
    conflict: 'Es wird anderswo noch gebraucht.',
    changed: 'Jemand hat dies inzwischen geändert. Öffnen Sie es neu und ändern Sie es dann.',
    tooLarge: 'Das ist mehr, als der Server auf einmal annimmt.',
    tooMany: 'Zu viel auf einmal. Warten Sie eine Minute, dann versuchen Sie es noch einmal.',
    invalid: 'So nimmt der Server das nicht an.',
    field: (label) => `Für „${label}“ nimmt der Server das nicht an.`,
    failed: 'Auf dem Server ist etwas schiefgegangen.',
    failedAs: (id) => `Auf dem Server ist etwas schiefgegangen. Sein Protokoll sagt mehr unter ${id}.`,
    away: 'Der Server kann das gerade nicht. Versuchen Sie es gleich noch einmal.',
    other: (status) => `Der Server hat mit ${status} geantwortet.`,
    said: 'Was der Server gesagt hat',
  },
}
