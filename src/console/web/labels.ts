import type { Description } from '../description.ts'

/** The names of fields where the one in the API is not what a salesperson would say. All others are named as in the API. */
const labels: Readonly<Record<string, string>> = {
  'organization.organization_type': 'Type',
  'contact.is_primary': 'Primary contact',
  'contact.consent_to_record': 'Calls may be recorded',
  'deal.expected_close_date': 'Closes on',
  'deal.assigned_to': 'Owner',
}

/** The description with these names. */
export function inWords(description: Description): Description {
  const resources = description.resources.map((resource) => ({
    ...resource,
    fields: resource.fields.map((field) => ({
      ...field,
      label: labels[`${resource.name}.${field.name}`] ?? field.label,
    })),
  }))
  return { ...description, resources }
}
