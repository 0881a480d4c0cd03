import { catalogue } from './catalogue.ts'

/** Deleting an organization, and undoing it. */
export const deletionTexts = catalogue(
  {
    title: 'Delete this organization',
    short: 'Deletes everything that belongs to it. You can undo this for {days} days.',
    open: 'Delete…',
    now: 'Immediately',
    nowPages: 'Your booking pages are closed, and nobody can book any more.',
    nowBookings: 'Upcoming bookings are cancelled: {count}.',
    nowEmails:
      'Invitees get an email, calendar entries and meetings are removed, and payments are refunded by your refund policy. If you want to refund more, do it before.',
    nowPlan: 'A paid plan no longer renews.',
    grace: 'For {days} days',
    graceText:
      'You can read and export everything, and undo the deletion here. Cancelled bookings stay cancelled.',
    afterwards: 'Afterwards',
    afterwardsText:
      'Everything is permanently deleted: event types, bookings with everything that people entered, members, keys, webhooks, connected calendars and the log. Payments stay in your account at the payment provider. Others can use the address of your page.',
    exportFirst: 'Download all data first',
    typeName: 'Type the name of the organization: {name}',
    notTheName: 'This is not the name of the organization.',
    delete: 'Delete this organization',
    scheduled: 'This organization will be deleted',
    until: 'Everything will be deleted on {time}. Until then, you can undo this.',
    underWay: 'The deletion is in progress and can no longer be undone.',
    byOperator: 'The operator of this service deletes it. Contact them if you want to keep it.',
    withdraw: 'Keep this organization',
    kept: 'The organization is kept and takes bookings again.',
    asked: 'The organization will be deleted.',
    band: 'This organization will be deleted on {time}. It takes no bookings.',
    bandLink: 'Undo',
  },
  {
    title: 'Diese Organisation löschen',
    short: 'Löscht alles, was dazugehört. {days} Tage lang können Sie das rückgängig machen.',
    open: 'Löschen …',
    now: 'Sofort',
    nowPages: 'Ihre Buchungsseiten werden geschlossen, und niemand kann mehr buchen.',
    nowBookings: 'Kommende Buchungen werden abgesagt: {count}.',
    nowEmails:
      'Gäste erhalten eine E-Mail, Kalendereinträge und Meetings werden entfernt, und Zahlungen werden nach Ihren Erstattungsregeln erstattet. Weitere Erstattungen nehmen Sie vorher vor.',
    nowPlan: 'Ein bezahlter Tarif verlängert sich nicht mehr.',
    grace: '{days} Tage lang',
    graceText:
      'Sie können alles lesen und exportieren und die Löschung hier rückgängig machen. Abgesagte Buchungen bleiben abgesagt.',
    afterwards: 'Danach',
    afterwardsText:
      'Alles wird endgültig gelöscht: Terminarten, Buchungen mit allem, was Personen eingegeben haben, Mitglieder, Schlüssel, Webhooks, verbundene Kalender und das Protokoll. Zahlungen bleiben in Ihrem Konto beim Zahlungsanbieter. Andere können die Adresse Ihrer Seite verwenden.',
    exportFirst: 'Vorher alle Daten herunterladen',
    typeName: 'Geben Sie den Namen der Organisation ein: {name}',
    notTheName: 'Das ist nicht der Name der Organisation.',
    delete: 'Diese Organisation löschen',
    scheduled: 'Diese Organisation wird gelöscht',
    until: 'Am {time} wird alles gelöscht. Bis dahin können Sie das rückgängig machen.',
    underWay: 'Die Löschung läuft und lässt sich nicht mehr rückgängig machen.',
    byOperator:
      'Der Betreiber dieses Dienstes löscht sie. Wenden Sie sich an ihn, wenn Sie sie behalten möchten.',
    withdraw: 'Diese Organisation behalten',
    kept: 'Die Organisation bleibt und nimmt wieder Buchungen an.',
    asked: 'Die Organisation wird gelöscht.',
    band: 'Diese Organisation wird am {time} gelöscht. Sie nimmt keine Buchungen an.',
    bandLink: 'Rückgängig machen',
  },
)
