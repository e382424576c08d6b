import { signal } from '@preact/signals'
import type { Company } from '../../access/company.ts'
import type { Plan } from '../../access/plan.ts'
import type { User } from '../../access/user.ts'
import type { DescribedField, DescribedResource, Description } from '../description.ts'

export interface SessionData {
  user: User
  company: Company
  plan: Plan
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
  return resourceOf(resource).fields.find(({ name }) => name === field)!
}
