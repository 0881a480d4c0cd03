-- Clients are found by the words of their bookings, and few have none. The Worker before goes on with `client_words`.
CREATE INDEX `clients_unbooked` ON `clients` (`organization_id`,`is_test`) WHERE bookings + cancelled <= 0;
