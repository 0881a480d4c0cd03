import type { Json } from '../world.ts'

const usual = (slug: string, type: string, more: Json = {}): Json => ({
  isDefault: true,
  type,
  slug,
  required: false,
  hidden: false,
  ...more,
})

const asked = (slug: string, type: string, label: string, more: Json = {}): Json => ({
  isDefault: false,
  type,
  slug,
  label,
  required: false,
  hidden: false,
  ...more,
})

/** What every event type asks, and the reason for moving, which is asked then alone. */
export const USUAL = [
  usual('name', 'name', { required: true }),
  usual('email', 'email', { required: true }),
  usual('title', 'text', { required: true, hidden: true }),
  usual('notes', 'textarea'),
  usual('guests', 'multiemail'),
  usual('rescheduleReason', 'textarea'),
]

/** Every type of question: the booking fields of packages/platform/types/event-types at calcom/cal.com. */
export const ASKED = [
  asked('company', 'text', 'Company', { required: true, placeholder: 'ACME' }),
  asked('topic', 'textarea', 'What is it about?'),
  asked('employees', 'select', 'Number of employees', {
    required: true,
    options: ['1', '2-10', '11-20'],
    placeholder: '',
  }),
  asked('topics', 'multiselect', 'Topics', { options: ['Design', 'Print', 'Web'] }),
  asked('terms', 'boolean', 'I agree', { required: true }),
  asked('channels', 'checkbox', 'Channels', { options: ['Email', 'Phone'] }),
  asked('size', 'radio', 'Size', { options: ['Small', 'Large'] }),
  asked('seats', 'number', 'How many people?'),
  asked('website', 'url', 'Website'),
  asked('office', 'address', 'Address of the office'),
  asked('mobile', 'phone', 'Mobile number'),
  asked('team', 'multiemail', 'Colleagues'),
  asked('birthday', 'date', 'Date of birth'),
  asked('internal', 'text', 'Not shown', { hidden: true }),
]
