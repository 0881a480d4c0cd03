import { catalogue } from './catalogue.ts'

export const eventFeedTexts = catalogue(
  {
    lead: 'All events of the last thirty days, whether or not a webhook receives them.',
    from: 'Show events after sequence',
    fromHint: 'The last sequence that your consumer has processed.',
    read: 'Show',
    newest: 'Newest first',
    none: 'No events yet',
    noneText: 'Each booking, change and payment appears here with the payload that webhooks receive.',
    wrong: 'Enter a whole number.',
    payload: 'Payload',
  },
  {
    lead: 'Alle Ereignisse der letzten dreißig Tage, ob ein Webhook sie empfängt oder nicht.',
    from: 'Ereignisse nach Nummer anzeigen',
    fromHint: 'Die letzte Nummer (sequence), die Ihr Empfänger verarbeitet hat.',
    read: 'Anzeigen',
    newest: 'Neueste zuerst',
    none: 'Noch keine Ereignisse',
    noneText: 'Jede Buchung, Änderung und Zahlung erscheint hier mit dem Inhalt, den Webhooks erhalten.',
    wrong: 'Geben Sie eine ganze Zahl ein.',
    payload: 'Inhalt',
  },
)
