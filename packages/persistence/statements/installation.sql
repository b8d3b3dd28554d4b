-- select installation 4ee6d6a3b7 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT name FROM installation
