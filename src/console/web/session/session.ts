import { signal } from '@preact/signals'
import type { Company } from '../../../access/company.ts'
import type { Notice } from '../../../access/notice.ts'
import type { Plan } from '../../../access/plan.ts'
import type { User } from '../../../access/user.ts'
import type { DescribedField, DescribedResource, Description } from '../../description.ts'
import { environmentOf } from './place.ts'

export interface SessionData {
  user: User
  company: Company
  plan: Plan
  /** What the user has not read about the account. */
  notices: Notice[]
}

/** The signed-in user. */
export const session = signal<SessionData | undefined>(undefined)

/** The definitions of all resources; loaded with the session. */
export const description = signal<Description | undefined>(undefined)

/** Set from the end of a session under an open page until the user has signed in again. */
export const ended = signal<{ resolve(): void; back: Promise<void> } | undefined>(undefined)

/** Resolves when the user has signed in again. */
export function signInAgain(): Promise<void> {
  if (!ended.value) {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended.value = { resolve, back: promise }
  }
  return ended.value.back
}

export function isAdmin(): boolean {
  return session.value!.user.role !== 'member'
}

export function resourceOf(name: string): DescribedResource {
  return description.value!.resources.find((resource) => resource.name === name)!
}

export function fieldOf(resource: string, field: string): DescribedField {
  return allFields(resource).find(({ name }) => name === field)!
}

/** The declared fields of a resource in this workspace, in their order. */
export function declaredOf(resource: string): readonly DescribedField[] {
  return description.value!.declared[environmentOf(location.pathname)]?.[resource] ?? []
}

/** The label of the declared fields of this name; undefined: there is none, or they have several. */
export function declaredLabel(name: string): string | undefined {
  const own = Object.values(description.value?.declared[environmentOf(location.pathname)] ?? {}).flat()
  const [label, ...others] = new Set(own.filter((field) => field.name === name).map((field) => field.label))
  return others.length === 0 ? label : undefined
}

/** The fields of a resource: those of its definition, then the declared ones. */
export function allFields(resource: string): DescribedField[] {
  return [...resourceOf(resource).fields, ...declaredOf(resource)]
}
