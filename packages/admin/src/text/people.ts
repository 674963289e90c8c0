import { dePeople } from './de-people.ts'
import { enPeople } from './en-people.ts'
import type { Catalogue } from './texts.tsx'

/** Texts of users, members and one's own page. */
export const PEOPLE_TEXTS: Catalogue<typeof enPeople> = { en: enPeople, de: dePeople }
