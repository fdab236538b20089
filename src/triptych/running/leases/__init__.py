"""One Run on many machines: a driver leases Requests to workers, and only the driver writes the Run.

files      a lease on disk: its Requests, its replies, and the fence that ends it
worker     answers leases with one adapter
driver     plan, leases, budget, journal; replaces workers that are lost
options    how many workers, and what each of them gets
on_ray     workers as actors of Ray

The driver and its workers share the Run folder. Ray carries only the paths of leases.
"""
